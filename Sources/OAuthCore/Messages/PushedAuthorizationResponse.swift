import Foundation

/// The reference to an authorization request that the authority holds for the browser (RFC 9126 §2.2).
package struct PushedAuthorizationResponse: Sendable, Equatable {
    /// In bytes. References are short, because they make URLs short.
    package static let maximumLength = 2048

    /// The value of `request_uri` in the browser's request.
    package let requestURI: String
    /// The lifetime in seconds, or `nil` if the response omits it, although RFC 9126 requires it.
    package let expiresIn: Int?

    package init(parsing response: HTTPResponse) throws(TokenResponseFailure) {
        let members = ResponseMembers(try response.members(of: [200, 201]))
        requestURI = try members.required("request_uri")
        guard requestURI.utf8.count <= Self.maximumLength else {
            throw .malformed(.tooLong(member: "request_uri", limit: Self.maximumLength))
        }
        guard requestURI.isVisibleASCII else { throw .malformed(.notVisibleASCII(member: "request_uri")) }
        expiresIn = try members.limitedSeconds("expires_in")
        if expiresIn == 0 { throw .malformed(.impossibleLifetime(member: "expires_in")) }
    }
}

extension AuthorizationRequest {
    /// The request of the application that leaves the parameters with the authority (RFC 9126 §2.1).
    ///
    /// - Parameter endpoint: the pushed authorization request endpoint.
    package func pushed(to endpoint: URL, by clientSecret: ClientSecret?) -> HTTPRequest {
        var headers: HTTPHeaders = ["Accept": "application/json"]
        var body = parameters
        body.identify(clientID, clientSecret, &headers)
        return .form(body, to: endpoint, headers: headers)
    }

    /// The URL for the browser, with the reference in place of the other parameters (RFC 9126 §4), also of those that the
    /// endpoint's address has.
    package func url(of held: PushedAuthorizationResponse) -> URL {
        endpoint.addingQuery(
            ["client_id": clientID, "request_uri": held.requestURI], replacing: parameters.pairs.map(\.name))
    }
}
