/// Why a response of a token or device authorization endpoint gives nothing.
package enum TokenResponseFailure: Error, Sendable, Equatable {
    /// The authority named an OAuth error, with whatever status.
    case refused(OAuthErrorResponse)
    /// The status is not 200, and the body holds no OAuth error.
    case unexplained
    /// The response does not follow the protocol.
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
        /// A member that goes into a header field holds a space, a control character or more than ASCII.
        case notVisibleASCII(member: String)
        /// A member the protocol demands is missing.
        case missing(member: String)
        /// Neither an access token nor an ID token.
        case noTokens
        /// `token_type` is not what was asked for. `found`: what it is, where the response says so.
        case otherTokenType(expected: String, found: String?)
    }
}

extension HTTPResponse {
    package static let maximumObjectBytes = 1 << 20

    /// The members of a successful JSON response. Some authorities refuse with the status 200, others with 403 or 429, so
    /// an OAuth error counts whatever the status.
    func members() throws(TokenResponseFailure) -> [String: JSONValue] {
        guard body.count <= Self.maximumObjectBytes else {
            throw status == 200 ? .malformed(.tooLarge(limit: Self.maximumObjectBytes)) : .unexplained
        }
        guard let read = try? JSONValue.read(body), let object = read.value.object else {
            throw status == 200 ? .malformed(.notJSONObject) : .unexplained
        }
        guard !read.hasRepeatedMembers else { throw .malformed(.repeatedMembers) }
        if let refusal = OAuthErrorResponse(read.value, status: status) { throw .refused(refusal) }
        guard status == 200 else { throw .unexplained }
        return object
    }
}
