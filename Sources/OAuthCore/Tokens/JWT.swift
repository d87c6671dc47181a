import Foundation
import KeyturnCrypto

/// A signed JSON Web Token in compact form (RFC 7519, RFC 7515 §7.1), decoded but not verified.
package struct JWT: Sendable, Equatable {
    package static let maximumLength = 256 * 1024

    package let header: [String: JSONValue]
    package let payload: [String: JSONValue]
    package let signature: [UInt8]
    package let signingInput: [UInt8]

    package init(parsing text: String) throws(JWTMalformed) {
        guard text.utf8.count <= Self.maximumLength else { throw .tooLong(limit: Self.maximumLength) }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw .partCount(parts.count) }
        header = try Self.object(parts[0], .header)
        payload = try Self.object(parts[1], .payload)
        guard let signature = Base64URL.decode(parts[2]) else { throw .notBase64URL(.signature) }
        self.signature = signature
        signingInput = Array("\(parts[0]).\(parts[1])".utf8)
        guard header["crit"] == nil else { throw .criticalExtensions }
    }

    private static func object(_ text: Substring, _ part: JWTMalformed.Part) throws(JWTMalformed) -> [String: JSONValue]
    {
        guard let bytes = Base64URL.decode(text) else { throw .notBase64URL(part) }
        guard let read = try? JSONValue.read(bytes), let object = read.value.object else { throw .notJSONObject(part) }
        guard !read.hasRepeatedMembers else { throw .repeatedMember(part) }
        return object
    }

    package var algorithm: String? { header["alg"]?.string }
    /// Whether the header names another type than an ID token, for example `at+jwt` or `logout+jwt` (RFC 8725 §3.11).
    package var isExplicitlyTyped: Bool { header["typ"]?.string?.lowercased().hasSuffix("+jwt") ?? false }
    package var keyID: String? { header["kid"]?.string }
    package var claims: IDTokenClaims { IDTokenClaims(payload) }

    /// The compact form. `sign` returns the signature of the signing input.
    package static func compact<Failure: Error>(
        header: JSONValue, payload: JSONValue, sign: ([UInt8]) throws(Failure) -> [UInt8]
    ) throws(Failure) -> String {
        let input = [header, payload].map(\.base64URL).joined(separator: ".")
        return "\(input).\(Base64URL.encode(try sign(Array(input.utf8))))"
    }
}

extension JSONValue {
    package var base64URL: String { Base64URL.encode(Array(serialized.utf8)) }
}

/// The reason why a text isn't a valid JSON Web Token. Contains nothing of the token.
package enum JWTMalformed: Error, Sendable, Equatable {
    package enum Part: String, Sendable {
        case header, payload, signature
    }

    case tooLong(limit: Int)
    /// A signed token has three parts, an encrypted one five.
    case partCount(Int)
    case notBase64URL(Part)
    case notJSONObject(Part)
    /// Readers may disagree about its value (RFC 7515 §4).
    case repeatedMember(Part)
    /// `crit`, of which none is supported (RFC 7515 §4.1.11).
    case criticalExtensions
    /// For example an access token (RFC 8725 §3.11, RFC 9068 §2.1).
    case otherType

    package var sentence: String {
        switch self {
        case .tooLong(let limit): "Longer than \(limit / 1024) KiB, the limit for tokens."
        case .partCount(let count): "A signed token has three parts; this one has \(count)."
        case .notBase64URL(let part): "The \(part.rawValue) isn't base64url: the token was modified or cut off."
        case .notJSONObject(let part): "The \(part.rawValue) isn't a JSON object: the token was modified or cut off."
        case .repeatedMember(let part): "The \(part.rawValue) has a duplicate member (RFC 7515 §4)."
        case .criticalExtensions: "The header requires unknown extensions (crit, RFC 7515 §4.1.11)."
        case .otherType: "The header's typ names another kind of token, such as an access token (at+jwt, RFC 9068)."
        }
    }
}
