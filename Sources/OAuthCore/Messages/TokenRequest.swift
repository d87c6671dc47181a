import Foundation

/// A request to the token endpoint by a public client (RFC 6749 §4.1.3 and §6, RFC 8628 §3.4). Secrets travel in the body only.
package struct TokenRequest: Sendable, Equatable {
    package enum Grant: Sendable, Equatable {
        case authorizationCode(Secret, redirectURI: String, verifier: CodeVerifier)
        /// Entra wants the redirect URI here as well; RFC 6749 does not.
        case refreshToken(Secret, redirectURI: String?)
        /// RFC 8628 §3.4.
        case deviceCode(Secret)
    }

    package var endpoint: URL
    package var clientID: String
    package var grant: Grant
    /// With the reserved scopes, without those that were only to be consented to. Empty: the parameter is left out.
    package var scopes: Scopes
    /// A `claims` parameter as JSON text.
    package var claims: String?
    /// Asks Entra for `client_info`; other authorities ignore it.
    package var requestsClientInfo = true
    /// The key that the access token shall be bound to; `nil` for a bearer token.
    package var confirmation: TokenConfirmation?
    /// The caller's own, in the query of the endpoint as upstream has it: never secrets.
    package var extraParameters: Parameters = [:]
    /// Correlation id, who asks, telemetry.
    package var headers: HTTPHeaders = [:]

    package init(endpoint: URL, clientID: String, grant: Grant, scopes: Scopes) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.grant = grant
        self.scopes = scopes
    }

    package var httpRequest: HTTPRequest {
        var headers = headers
        headers["Accept"] = "application/json"
        return .form(body, to: endpoint.addingQuery(extraParameters), headers: headers)
    }

    private var body: Parameters {
        var all: Parameters = [:]
        all["client_id"] = clientID
        switch grant {
        case .authorizationCode(let code, let redirectURI, let verifier):
            all["grant_type"] = "authorization_code"
            all["code"] = code.reveal()
            all["redirect_uri"] = redirectURI
            all["code_verifier"] = verifier.secret.reveal()
        case .refreshToken(let token, let redirectURI):
            all["grant_type"] = "refresh_token"
            all["refresh_token"] = token.reveal()
            all["redirect_uri"] = redirectURI
        case .deviceCode(let code):
            all["grant_type"] = "urn:ietf:params:oauth:grant-type:device_code"
            all["device_code"] = code.reveal()
        }
        all["scope"] = scopes.isEmpty ? nil : scopes.text
        all["claims"] = claims
        if requestsClientInfo { all["client_info"] = "1" }
        if let confirmation {
            all["token_type"] = "pop"
            all["req_cnf"] = confirmation.parameter
        }
        return all
    }
}
