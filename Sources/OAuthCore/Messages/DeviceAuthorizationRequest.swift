import Foundation

/// A request for a code that the user enters on another device (RFC 8628 §3.1).
package struct DeviceAuthorizationRequest: Sendable, Equatable {
    package var endpoint: URL
    package var clientID: String
    package var clientSecret: ClientSecret?
    /// The scopes, including the reserved ones.
    package var scopes: Scopes
    /// The `claims` parameter as JSON text.
    package var claims: String?
    /// The resource that the token is for (RFC 8707 §2).
    package var resource: String?
    /// The API that the token is for, at providers that choose it by this parameter.
    package var audience: String?
    /// The caller's parameters for the query, as at the token endpoint. Never secrets.
    package var extraParameters: Parameters = [:]
    /// Correlation ID and client metadata.
    package var headers: HTTPHeaders = [:]

    package init(endpoint: URL, clientID: String, scopes: Scopes) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.scopes = scopes
    }

    package var httpRequest: HTTPRequest {
        var headers = headers
        headers["Accept"] = "application/json"
        var body: Parameters = [:]
        body.identify(clientID, clientSecret, &headers)
        body["scope"] = scopes.isEmpty ? nil : scopes.text
        body["claims"] = claims
        body["resource"] = resource
        body["audience"] = audience
        return .form(body, to: endpoint.addingQuery(extraParameters), headers: headers)
    }
}
