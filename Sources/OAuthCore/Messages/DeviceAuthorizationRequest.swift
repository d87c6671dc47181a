import Foundation

/// Asks for a code that a person enters on another device (RFC 8628 §3.1).
package struct DeviceAuthorizationRequest: Sendable, Equatable {
    package var endpoint: URL
    package var clientID: String
    /// With the reserved scopes.
    package var scopes: Scopes
    /// A `claims` parameter as JSON text.
    package var claims: String?
    /// The caller's own, in the query of the endpoint as at the token endpoint: never secrets.
    package var extraParameters: Parameters = [:]
    /// Correlation id, who asks.
    package var headers: HTTPHeaders = [:]

    package init(endpoint: URL, clientID: String, scopes: Scopes) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.scopes = scopes
    }

    package var httpRequest: HTTPRequest {
        var headers = headers
        headers["Accept"] = "application/json"
        var body: Parameters = ["client_id": clientID]
        body["scope"] = scopes.isEmpty ? nil : scopes.text
        body["claims"] = claims
        return .form(body, to: endpoint.addingQuery(extraParameters), headers: headers)
    }
}
