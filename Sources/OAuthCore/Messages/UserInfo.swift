import Foundation

/// The claims from an OpenID provider's userinfo endpoint (OpenID Connect Core §5.3).
///
/// Used instead of an ID token when a provider issues none for a device code. The response isn't signed, so it is as
/// trustworthy as the connection; only the provider's own endpoint is used.
package struct UserInfo: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    package let claims: IDTokenClaims

    package static func request(_ endpoint: URL, accessToken: Secret) -> HTTPRequest {
        HTTPRequest(
            .get, endpoint, headers: ["Accept": "application/json", "Authorization": "Bearer \(accessToken.reveal())"])
    }

    /// Returns `nil` when the response doesn't identify the user.
    package init?(parsing response: HTTPResponse) {
        guard response.status == 200, response.body.count <= Self.maximumBytes,
            let object = try? JSONValue(parsing: response.body).object
        else { return nil }
        claims = IDTokenClaims(object)
        guard claims.subject?.isEmpty == false else { return nil }
    }
}
