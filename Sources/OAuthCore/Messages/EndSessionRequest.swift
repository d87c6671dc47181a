import Foundation

/// The page that ends the browser's session at the authority (OpenID Connect RP-Initiated Logout 1.0 §2), as a value.
package struct EndSessionRequest: Sendable, Equatable {
    package var endpoint: URL
    package var postLogoutRedirectURI: String
    package var state: String
    /// The account's ID token, expired or not: it tells the authority which session to end, so that it need not ask.
    package var idTokenHint: Secret?
    /// Tells an authority without an ID token whose redirect URI it is; Entra does not ask for it.
    package var clientID: String?
    package var correlationID: UUID?
    /// Who asks: `x-client-SKU` and its like, `x-app-name`, `x-app-ver`.
    package var clientMetadata: Parameters = [:]
    /// The caller's own. They may not replace where the browser comes back to.
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
