import OAuthCore

/// Sends a request and returns the response, whatever its status. Doesn't follow redirects.
///
/// Sends a request that redeems a code or token (``HTTPRequest/isSpending``) at most once. Cancelling the task throws
/// ``TransportFailure/Kind/cancelled``.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}
