import Foundation

/// A request to the token endpoint (RFC 6749 §4.1.3 and §6, RFC 8628 §3.4), or for a device code. Secrets are only in the body.
package struct TokenRequest: Sendable, Equatable {
    package enum Grant: Sendable, Equatable {
        case authorizationCode(Secret, redirectURI: String, verifier: CodeVerifier)
        /// Microsoft Entra ID requires the redirect URI, RFC 6749 doesn't.
        case refreshToken(Secret, redirectURI: String?)
        case deviceCode(Secret)
        /// Exchanges an ID token for an assertion to another authority (RFC 8693 §2.1).
        case identityAssertion(idToken: Secret)
        /// Redeems such an assertion (RFC 7523 §2.1).
        case assertion(Secret)
        /// None yet: requests a device code at its own endpoint (RFC 8628 §3.1).
        case deviceAuthorization
    }

    package var endpoint: URL
    package var clientID: String
    package var clientSecret: ClientSecret?
    package var grant: Grant
    /// Includes the reserved ones but not those only to consent to. If empty, the parameter is omitted.
    package var scopes: Scopes
    /// The `claims` parameter as JSON text.
    package var claims: String?
    /// The resource that the access token is for (RFC 8707 §2.2).
    package var resource: String?
    /// The API that the token is for, at providers that choose it by this parameter.
    package var audience: String?
    /// Whether to request `client_info` from Microsoft Entra ID. Others ignore it.
    package var requestsClientInfo = true
    /// The key to bind the access token to, or `nil` for a bearer token.
    package var confirmation: TokenConfirmation?
    /// The caller's parameters for the query, as in MSAL for iOS and macOS. Never secrets.
    package var extraParameters: Parameters = [:]
    package var headers: HTTPHeaders = [:]

    package init(endpoint: URL, clientID: String, grant: Grant, scopes: Scopes) {
        (self.endpoint, self.clientID, self.grant, self.scopes) = (endpoint, clientID, grant, scopes)
    }

    package var httpRequest: HTTPRequest {
        var headers = headers
        headers["Accept"] = "application/json"
        var all: Parameters = [:]
        all.identify(clientID, clientSecret, &headers)
        all.replace(with: grantParameters)
        all.replace(
            with: Parameters(members: [
                "scope": scopes.isEmpty ? nil : scopes.text, "claims": claims, "resource": resource,
                "audience": audience,
                "client_info": requestsClientInfo && grant != .deviceAuthorization ? "1" : nil,
                "token_type": confirmation == nil ? nil : "pop", "req_cnf": confirmation?.parameter,
            ]))
        return .form(all, to: endpoint.addingQuery(extraParameters), headers: headers)
    }

    private var grantParameters: Parameters {
        switch grant {
        case .authorizationCode(let code, let redirectURI, let verifier):
            [
                "grant_type": "authorization_code", "code": code.reveal(), "redirect_uri": redirectURI,
                "code_verifier": verifier.secret.reveal(),
            ]
        case .refreshToken(let token, let uri):
            Parameters(members: ["grant_type": "refresh_token", "refresh_token": token.reveal(), "redirect_uri": uri])
        case .deviceCode(let code):
            ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": code.reveal()]
        case .identityAssertion(let idToken):
            [
                "grant_type": IdentityAssertion.exchangeGrant, "requested_token_type": IdentityAssertion.type,
                "subject_token": idToken.reveal(), "subject_token_type": IdentityAssertion.subjectType,
            ]
        case .assertion(let text): ["grant_type": IdentityAssertion.grant, "assertion": text.reveal()]
        case .deviceAuthorization: [:]
        }
    }
}
