import Foundation
import Locks
import OAuthCore

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
    /// `nil`: it is not a browser that answers, so nothing that is delivered can be the answer.
    package let redirect: RedirectURI?
    /// See ``Dependencies/world``.
    package let world: ObjectIdentifier?
    private let bareCodeAddress = Locked<URL?>(nil)
    private let phase = Locked(Phase.idle)
    /// Says nothing and finishes when the wait is over. For one task to follow.
    package let end: AsyncStream<Never>
    private let endSignal: AsyncStream<Never>.Continuation

    package init(state: Secret, redirect: RedirectURI?, world: ObjectIdentifier? = nil) {
        self.state = state
        self.redirect = redirect
        self.world = world
        (end, endSignal) = AsyncStream.makeStream()
    }

    /// Whether it has its response, or was cancelled.
    package var hasEnded: Bool {
        phase.withLock { phase in
            if case .ended = phase { return true }
            return false
        }
    }

    /// Whether `url` was the awaited response. Anything else leaves the wait as it is.
    package func deliver(_ url: URL) -> Bool {
        guard let redirect, redirect.accepts(url), AuthorizationResponse.carries(state: state.reveal(), url) else {
            return false
        }
        return end(with: .success(url))
    }

    /// The address that a code would have come with, had the person not copied the code alone.
    ///
    /// Such a code says neither which sign-in nor which authority it is of. It is still of no use unless it was given for
    /// this sign-in's code challenge (RFC 9700 §2.1.1), and the ID token has to hold this sign-in's nonce.
    package func address(ofBareCode code: Secret) -> URL? {
        guard let redirect else { return nil }
        let parameters: Parameters = ["code": code.reveal(), "state": state.reveal()]
        let base = redirect.url.absoluteString
        let url = URL(string: "\(base)\(base.contains("?") ? "&" : "?")\(parameters.formEncoded)")
        bareCodeAddress.withLock { $0 = url }
        return url
    }

    /// Whether an address was made of a code alone.
    package func isMadeOfBareCode(_ url: URL) -> Bool { bareCodeAddress.withLock { $0 == url } }

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
        endSignal.finish()
        return ended
    }
}
