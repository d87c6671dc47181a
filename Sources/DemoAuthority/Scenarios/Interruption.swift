import OAuthCore

/// A period in which the authority rejects refreshes but allows sign-ins.
package struct Interruption: Sendable, Equatable {
    package var status: Int
    /// The seconds of `Retry-After` (RFC 9110 §10.2.3); nil to omit it.
    package var retryAfter: Int?
    /// The number of rejected requests.
    package var requests: Int

    var response: HTTPResponse {
        var response = HTTPResponse.json(
            ["error": .string(status == 429 ? "temporarily_unavailable" : "server_error")], status: status)
        response.headers["Retry-After"] = retryAfter.map { "\($0)" }
        return response
    }
}
