import Foundation
import KeyturnCrypto
import OAuthCore

/// A decoded JSON Web Token, for display (RFC 7519). Not in MSAL for iOS and macOS.
///
/// Decoding doesn't validate the token: see ``MSALResult/idTokenVerdicts``.
public struct MSALDecodedToken: Sendable, Equatable {
    /// The members of the header, in a fixed order.
    public let header: [MSALTokenClaim]
    /// The claims: registered claims in reading order, then the others by name.
    public let claims: [MSALTokenClaim]
    /// The header as formatted JSON.
    public let headerJSON: String
    /// The claims as formatted JSON.
    public let claimsJSON: String
    /// The size of the signature in bytes.
    public let signatureSize: Int
    private let signature: Secret

    /// Decodes a token. Returns `nil` when the text isn't a JSON Web Token; access tokens may have any format.
    public init?(_ token: String) {
        guard let jwt = try? JWT(parsing: token) else { return nil }
        header = Self.list(jwt.header, first: ["typ", "alg", "kid"])
        claims = Self.list(jwt.payload, first: Self.readingOrder)
        headerJSON = JSONValue.object(jwt.header).prettyPrinted
        claimsJSON = JSONValue.object(jwt.payload).prettyPrinted
        signatureSize = jwt.signature.count
        signature = Secret(Base64URL.encode(jwt.signature))
    }

    /// Returns the encoded signature. Secret, because it completes the token.
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
        let names = members.keys.sorted { (order[$0] ?? first.count, $0) < (order[$1] ?? first.count, $1) }
        return names.compactMap { name in members[name].map { claim(name, $0, in: members) } }
    }

    private static func claim(_ name: String, _ value: JSONValue, in members: [String: JSONValue]) -> MSALTokenClaim {
        MSALTokenClaim(
            name: name, text: value.string ?? value.serialized,
            date: moments.contains(name) ? IDTokenClaims(members).date(name) : nil)
    }
}

/// One member of a token's header or claims, for display. Not in MSAL for iOS and macOS.
public struct MSALTokenClaim: Sendable, Equatable {
    /// The name of the member.
    public let name: String
    /// The value: strings unchanged, other types as compact JSON. Sanitise it before printing, because it comes from a
    /// server.
    public let text: String
    /// The time, for a registered claim of type NumericDate (RFC 7519 §2).
    public let date: Date?

    /// Creates a member.
    public init(name: String, text: String, date: Date? = nil) {
        (self.name, self.text, self.date) = (name, text, date)
    }
}
