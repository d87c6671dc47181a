import Foundation

/// The claims from an OpenID provider's userinfo endpoint (OpenID Connect Core §5.3), for providers that issue no ID token for a
/// device code. The response isn't signed, so it is as trustworthy as the connection; only the provider's own endpoint is used.
package struct UserInfo: Sendable, Equatable {
    package let claims: IDTokenClaims

    package static func request(_ endpoint: URL, accessToken: Secret) -> HTTPRequest {
        HTTPRequest(
            .get, endpoint, headers: ["Accept": "application/json", "Authorization": "Bearer \(accessToken.reveal())"])
    }

    /// The request for the account of a server without OpenID Connect. GitHub rejects requests without a User-Agent.
    package static func request(_ account: OAuthServer.Account, accessToken: Secret) -> HTTPRequest {
        var request = request(account.address, accessToken: accessToken)
        request.headers["User-Agent"] = "Keyturn"
        return request
    }

    /// The description of an account, with its ID as the subject if it has one. Usernames can change.
    package init(parsing response: HTTPResponse, naming account: OAuthServer.Account) throws(TokenResponseFailure) {
        let members = try response.members()
        func text(_ member: String) -> String? { members[member]?.string ?? members[member]?.integer.map(String.init) }
        guard let name = text(account.member), !name.isEmpty else { throw .malformed(.missing(member: account.member)) }
        let subject = ["sub", "id"].lazy.compactMap(text).first { !$0.isEmpty } ?? name
        guard max(subject.utf8.count, name.utf8.count) <= IDTokenClaims.maximumSubjectBytes else {
            throw .malformed(.tooLong(member: account.member, limit: IDTokenClaims.maximumSubjectBytes))
        }
        var claims: [String: JSONValue] = ["sub": .string(subject), "preferred_username": .string(name)]
        claims["name"] = members["name"]?.string.map(JSONValue.string)
        self.claims = IDTokenClaims(claims)
    }

    /// Throws if the response doesn't identify the user.
    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        let members = try response.members()
        let subject = try ResponseMembers(members).required("sub")
        guard subject.utf8.count <= IDTokenClaims.maximumSubjectBytes else {
            throw .malformed(.tooLong(member: "sub", limit: IDTokenClaims.maximumSubjectBytes))
        }
        claims = IDTokenClaims(members)
    }
}
