import OAuthCore

/// Retries a request after a server error (5xx) or when the authority is unreachable (docs/upstream-behaviour.md §9.2).
///
/// A request that redeems a code or token (``HTTPRequest/isSpending``) is repeated only if it was never sent. Redeeming
/// twice looks like theft, and authorities then revoke the whole grant (RFC 9700 §4.14.2). A status proves nothing: a
/// gateway that responds with 502 or 504 has already forwarded the request.
/// `Retry-After` is honoured.
package struct RetryingTransport: HTTPTransport {
    package struct Policy: Sendable, Equatable {
        package var count: Int
        package var interval: Double
    }

    private let transport: any HTTPTransport
    private let time: any TimeSource
    private let policy: Policy

    package init(_ transport: any HTTPTransport, time: any TimeSource, policy: Policy) {
        (self.transport, self.time, self.policy) = (transport, time, policy)
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        var attemptsLeft = max(0, policy.count)
        while attemptsLeft > 0 {
            do throws(TransportFailure) {
                let response = try await transport.send(request)
                // With 511, the user must sign in to the network first (RFC 6585 §6).
                let isFinal = response.status < 500 || response.status == 511 || response.headers["Retry-After"] != nil
                if isFinal || request.isSpending { return response }
            } catch {
                switch error.meaning.retry {
                case .never, .later: throw error
                case .atOnceUnlessSpending: if request.isSpending { throw error }
                case .atOnce: break
                }
            }
            attemptsLeft -= 1
            do { try await time.sleep(seconds: max(0, policy.interval)) } catch {
                throw TransportFailure(.cancelled, reason: "cancelled")
            }
        }
        return try await transport.send(request)
    }
}
