/// Why an answer of the token endpoint gives no tokens.
package enum TokenResponseFailure: Error, Sendable, Equatable {
    /// The authority refused; some do so with the status 200.
    case refused(OAuthErrorResponse)
    /// Any other status than 200, 400 and 401. The body is not looked at.
    case unexpectedStatus(Int, HTTPHeaders)
    /// The answer does not follow the protocol.
    case malformed(Fact)

    package enum Fact: Sendable, Equatable {
        case tooLarge(limit: Int)
        case notJSONObject
        /// A member holds another type than it must, or a number nothing can use.
        case wrongType(member: String)
        /// A lifetime that is negative or beyond ``TokenResponse/maximumLifetime``.
        case impossibleLifetime(member: String)
        /// Two members of one name: which of them counts would be a guess.
        case repeatedMembers
        /// A member that identifies something holds a control character.
        case controlCharacter(member: String)
        /// A member the protocol demands is missing.
        case missing(member: String)
        /// Neither an access token nor an ID token.
        case noTokens
        /// `token_type` is not what was asked for. `found`: what it is, where the response says so.
        case otherTokenType(expected: String, found: String?)
    }
}
