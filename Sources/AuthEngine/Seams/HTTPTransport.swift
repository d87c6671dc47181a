import OAuthCore

/// Sends one request and gives back the answer, whatever its status. Redirects are not followed.
///
/// A request that spends something (``HTTPRequest/isSpending``) goes out at most once.
///
/// Cancelling the calling task ends the exchange with ``TransportFailure/Kind/cancelled``.
package protocol HTTPTransport: Sendable {
    func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse
}
