import Foundation

/// The page that ends the browser session at the authority (OpenID Connect RP-Initiated Logout 1.0 §2).
package struct LogoutRequest: Sendable, Equatable {
    package var endpoint: URL
    package var postLogoutRedirectURI: String
    package var state: String
    /// The account's ID token, which may have expired. It identifies the session to end, so that the authority needn't
    /// ask.
    package var idTokenHint: Secret?
    /// The client ID, which identifies the redirect URI if there is no ID token. Microsoft Entra ID doesn't need it.
    package var clientID: String?
    package var correlationID: UUID?
    /// Client metadata: `x-client-SKU` and similar, `x-app-name`, `x-app-ver`.
    package var clientMetadata: Parameters = [:]
    /// The caller's parameters. They can't replace the redirect URI.
    package var extraParameters: Parameters = [:]

    package init(endpoint: URL, postLogoutRedirectURI: String, state: String) {
        self.endpoint = endpoint
        self.postLogoutRedirectURI = postLogoutRedirectURI
        self.state = state
    }

    package var url: URL {
        var all = extraParameters
        all["client_id"] = clientID ?? all["client_id"]
        if let correlationID {
            all["client-request-id"] = correlationID.uuidString
            all["return-client-request-id"] = "true"
        }
        all.replace(with: clientMetadata)
        all["id_token_hint"] = idTokenHint?.reveal() ?? all["id_token_hint"]
        all["post_logout_redirect_uri"] = postLogoutRedirectURI
        all["state"] = state
        return endpoint.addingQuery(all)
    }
}
