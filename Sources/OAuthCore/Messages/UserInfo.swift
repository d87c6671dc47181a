import Foundation

/// What an OpenID provider says of the person to whom it gave an access token (OpenID Connect Core §5.3).
///
/// It stands in for an ID token where a provider gives none, as some do for device codes. It is not signed: it is worth
/// what the connection to the provider is worth, and so only that provider's own address is asked.
package struct UserInfo: Sendable, Equatable {
    package static let maximumBytes = 1 << 20

    package let claims: IDTokenClaims

    package static func request(_ endpoint: URL, accessToken: Secret) -> HTTPRequest {
        HTTPRequest(
            .get, endpoint, headers: ["Accept": "application/json", "Authorization": "Bearer \(accessToken.reveal())"])
    }

    /// `nil` when the answer does not say who it is: then nobody signed in.
    package init?(parsing response: HTTPResponse) {
        guard response.status == 200, response.body.count <= Self.maximumBytes,
            let object = try? JSONValue(parsing: response.body).object
        else { return nil }
        claims = IDTokenClaims(object)
        guard claims.subject?.isEmpty == false else { return nil }
    }
}
