/// Why text is not a JSON Web Token we can read. It carries nothing of the token.
package enum JWTMalformed: Error, Sendable, Equatable {
    package enum Part: String, Sendable {
        case header, payload, signature
    }

    case tooLong(limit: Int)
    /// A signed token has three parts; an encrypted one has five.
    case partCount(Int)
    case notBase64URL(Part)
    case notJSONObject(Part)
    /// Two members of one name: readers differ in which of them counts (RFC 7515 §4).
    case repeatedMember(Part)
    /// A header names extensions that must be understood (`crit`, RFC 7515 §4.1.11), and we know none.
    case criticalExtensions
}
