/// The reason why a text isn't a valid JSON Web Token. Contains nothing of the token.
package enum JWTMalformed: Error, Sendable, Equatable {
    package enum Part: String, Sendable {
        case header, payload, signature
    }

    case tooLong(limit: Int)
    /// A signed token has three parts; an encrypted one has five.
    case partCount(Int)
    case notBase64URL(Part)
    case notJSONObject(Part)
    /// A member occurs twice, so that readers may disagree about its value (RFC 7515 §4).
    case repeatedMember(Part)
    /// The header requires extensions (`crit`, RFC 7515 §4.1.11), which this library doesn't support.
    case criticalExtensions
}
