import Foundation

/// The page that ends the browser session at the authority (OpenID Connect RP-Initiated Logout 1.0 §2).
package struct LogoutRequest: Sendable, Equatable {
    package var endpoint: URL
    package var postLogoutRedirectURI: String
    package var state: String
    /// Identifies the session to end, so that the authority needn't ask. May have expired.
    package var idTokenHint: Secret?
    /// The client ID, which identifies the redirect URI if there is no ID token. Microsoft Entra ID doesn't need it.
    package var clientID: String?
    package var correlationID: UUID?
    package var clientMetadata: Parameters = [:]
    /// The caller's parameters. They can't replace the redirect URI.
    package var extraParameters: Parameters = [:]

    package init(endpoint: URL, postLogoutRedirectURI: String, state: String) {
        (self.endpoint, self.postLogoutRedirectURI, self.state) = (endpoint, postLogoutRedirectURI, state)
    }

    package var url: URL {
        var all = extraParameters
        all["client_id"] = clientID ?? all["client_id"]
        all.add(correlationID)
        all.replace(with: clientMetadata)
        all["id_token_hint"] = idTokenHint?.reveal() ?? all["id_token_hint"]
        all["post_logout_redirect_uri"] = postLogoutRedirectURI
        all["state"] = state
        return endpoint.addingQuery(all)
    }
}

/// A request to invalidate a token (RFC 7009 §2.1).
package struct RevocationRequest: Sendable, Equatable {
    /// The server may use the kind as a hint.
    package struct Token: Sendable, Equatable {
        package enum Kind: String, Sendable {
            case refreshToken = "refresh_token"
            case accessToken = "access_token"
        }

        package var kind: Kind
        package var secret: Secret

        package init(_ kind: Kind, _ secret: Secret) {
            (self.kind, self.secret) = (kind, secret)
        }
    }

    package var endpoint: URL
    package var clientID: String
    package var clientSecret: ClientSecret?
    package var token: Token

    package init(endpoint: URL, clientID: String, clientSecret: ClientSecret? = nil, token: Token) {
        (self.endpoint, self.clientID, self.clientSecret, self.token) = (endpoint, clientID, clientSecret, token)
    }

    package var httpRequest: HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        var body: Parameters = [:]
        body.identify(clientID, clientSecret, &headers)
        body["token"] = token.secret.reveal()
        body["token_type_hint"] = token.kind.rawValue
        return .form(body, to: endpoint, headers: headers)
    }

    /// Throws unless the token is invalid now, also because the server knows none such (RFC 7009 §2.2). A body with an error is
    /// one, whatever the status says.
    package static func check(_ response: HTTPResponse) throws(TokenResponseFailure) {
        do { _ = try response.members(of: Array(200...299)) } catch {
            switch error {
            case .rejected(let rejection):
                guard ["invalid_grant", "invalid_token"].contains(rejection.error.lowercased()) else { throw error }
            case .unexplained, .malformed: guard (200...299).contains(response.status) else { throw error }
            }
        }
    }
}
