import Foundation

/// The claims from an OpenID provider's userinfo endpoint (OpenID Connect Core §5.3).
///
/// Used instead of an ID token when a provider issues none for a device code. The response isn't signed, so it is as
/// trustworthy as the connection; only the provider's own endpoint is used.
package struct UserInfo: Sendable, Equatable {
    package let claims: IDTokenClaims

    package static func request(_ endpoint: URL, accessToken: Secret) -> HTTPRequest {
        HTTPRequest(
            .get, endpoint, headers: ["Accept": "application/json", "Authorization": "Bearer \(accessToken.reveal())"])
    }

    /// Throws if the response doesn't identify the user.
    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        let members = try response.members()
        guard
            let subject = try members.text("sub", otherwise: TokenResponseFailure.malformed(.wrongType(member: "sub"))),
            !subject.isEmpty
        else { throw .malformed(.missing(member: "sub")) }
        guard subject.utf8.count <= IDTokenClaims.maximumSubjectBytes else {
            throw .malformed(.tooLong(member: "sub", limit: IDTokenClaims.maximumSubjectBytes))
        }
        claims = IDTokenClaims(members)
    }
}
