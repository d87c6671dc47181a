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

    /// Throws unless the token is invalid now. Any body is fine, and an unknown token too (RFC 7009 §2.2).
    package static func check(_ response: HTTPResponse) throws(TokenResponseFailure) {
        guard !(200...299).contains(response.status) else { return }
        _ = try response.members()
    }
}
