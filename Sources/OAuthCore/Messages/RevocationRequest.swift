import Foundation

/// A request to invalidate a token (RFC 7009 §2.1).
package struct RevocationRequest: Sendable, Equatable {
    /// A token with its kind, which the server may use as a hint.
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
