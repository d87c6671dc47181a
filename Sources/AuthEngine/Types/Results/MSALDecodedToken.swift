import Foundation
import KeyturnCrypto
import OAuthCore

/// A JSON Web Token taken apart for a person to read (RFC 7519). An addition of this library.
///
/// Decoding judges nothing: see ``MSALResult/idTokenVerdicts``.
public struct MSALDecodedToken: Sendable, Equatable {
    /// What the header says, in a fixed order.
    public let header: [MSALTokenClaim]
    /// Registered claims first, in the order a person asks for them; then the others by name.
    public let claims: [MSALTokenClaim]
    /// The header, laid out for reading.
    public let headerJSON: String
    /// The claims, laid out for reading.
    public let claimsJSON: String
    /// How many bytes the signature has.
    public let signatureSize: Int
    private let signature: Secret

    /// `nil` when the text is not a JSON Web Token: an access token may be anything.
    public init?(_ token: String) {
        guard let jwt = try? JWT(parsing: token) else { return nil }
        header = Self.list(jwt.header, first: ["typ", "alg", "kid"])
        claims = Self.list(jwt.payload, first: Self.readingOrder)
        headerJSON = JSONValue.object(jwt.header).prettyPrinted
        claimsJSON = JSONValue.object(jwt.payload).prettyPrinted
        signatureSize = jwt.signature.count
        signature = Secret(Base64URL.encode(jwt.signature))
    }

    /// The signature as it stands in the token. Secret: with the rest it makes a token that works.
    public func revealSignature() -> String { signature.reveal() }

    private static let readingOrder = [
        "name", "preferred_username", "email", "sub", "iss", "aud", "azp", "exp", "iat", "nbf", "auth_time", "nonce",
        "tid", "oid", "scp", "scope",
    ]

    private static let moments: Set<String> = [
        "exp", "iat", "nbf", "auth_time", "updated_at", "toe", "xms_tcdt", "xms_pftexp", "pwd_exp",
    ]

    private static func list(_ members: [String: JSONValue], first: [String]) -> [MSALTokenClaim] {
        let order = Dictionary(uniqueKeysWithValues: first.enumerated().map { ($1, $0) })
        let names = members.keys.sorted {
            (order[$0] ?? first.count, $0) < (order[$1] ?? first.count, $1)
        }
        return names.compactMap { name in members[name].map { claim(name, $0, in: members) } }
    }

    private static func claim(_ name: String, _ value: JSONValue, in members: [String: JSONValue]) -> MSALTokenClaim {
        MSALTokenClaim(
            name: name, text: value.string ?? value.serialized,
            date: moments.contains(name) ? IDTokenClaims(members).date(name) : nil)
    }
}

/// One member of a token's header or claims, ready to show. An addition of this library.
public struct MSALTokenClaim: Sendable, Equatable {
    /// The claim, as in the token.
    public let name: String
    /// Strings as they are, everything else as compact JSON. It comes from a server: sanitise it before a terminal
    /// sees it.
    public let text: String
    /// The moment meant, for the registered claims that hold one (RFC 7519 §2, NumericDate).
    public let date: Date?

    /// As it is shown.
    public init(name: String, text: String, date: Date? = nil) {
        self.name = name
        self.text = text
        self.date = date
    }
}
