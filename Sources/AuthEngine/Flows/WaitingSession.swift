import Foundation
import OAuthCore
import Synchronization

/// One interactive sign-in that waits for its response.
///
/// Of everything that is delivered it takes only what comes to its redirect URI with its `state`, and that once.
package final class WaitingSession: Sendable {
    private enum Phase {
        case idle
        case waiting(CheckedContinuation<URL, any Error>)
        case ended(Result<URL, Canceled>)
    }

    /// The wait was ended by the person or the program.
    package struct Canceled: Error {}

    private let state: Secret
    private let redirect: RedirectURI
    private let phase = Mutex(Phase.idle)

    package init(state: Secret, redirect: RedirectURI) {
        self.state = state
        self.redirect = redirect
    }

    /// Whether `url` was the awaited response. Anything else leaves the wait as it is.
    package func deliver(_ url: URL) -> Bool {
        guard redirect.accepts(url), AuthorizationResponse.carries(state: state.reveal(), url) else { return false }
        return end(with: .success(url))
    }

    /// Ends the wait. `false` when it had ended already.
    @discardableResult
    package func cancel() -> Bool {
        end(with: .failure(Canceled()))
    }

    /// The awaited response. Throws ``Canceled`` when the wait or the task is cancelled.
    package func response() async throws -> URL {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<URL, Canceled>? = phase.withLock { phase in
                    if case .ended(let result) = phase { return result }
                    phase = .waiting(continuation)
                    return nil
                }
                if let early { continuation.resume(with: early) }
            }
        } onCancel: {
            cancel()
        }
    }

    private func end(with result: Result<URL, Canceled>) -> Bool {
        let (ended, continuation): (Bool, CheckedContinuation<URL, any Error>?) = phase.withLock { phase in
            switch phase {
            case .idle:
                phase = .ended(result)
                return (true, nil)
            case .waiting(let continuation):
                phase = .ended(result)
                return (true, continuation)
            case .ended:
                return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return ended
    }
}
