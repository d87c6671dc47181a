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
    /// Told of responses that came to the redirect URI and were ignored, a few times at most: anything on this machine, and
    /// any page in the browser, can send them.
    private let ignored: @Sendable (IgnoredResponse) -> Void
    private let told = Locked<[IgnoredResponse]>([])
    private let bareCodeAddress = Locked<URL?>(nil)
    private let phase = Locked(Phase.idle)
    /// Says nothing and finishes when the wait is over. For one task to follow.
    package let end: AsyncStream<Never>
    private let endSignal: AsyncStream<Never>.Continuation

    package init(
        state: Secret, redirect: RedirectURI?, world: ObjectIdentifier? = nil,
        ignored: @escaping @Sendable (IgnoredResponse) -> Void = { _ in }
    ) {
        self.state = state
        self.redirect = redirect
        self.world = world
        self.ignored = ignored
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
        guard let redirect, redirect.accepts(url) else { return false }
        guard AuthorizationResponse.carries(state: state.reveal(), url) else {
            if !hasEnded, let response = IgnoredResponse(url) { tell(response) }
            return false
        }
        return end(with: .success(url))
    }

    private static let mostTold = 3

    private func tell(_ response: IgnoredResponse) {
        let isNew = told.withLock { told in
            guard told.count < Self.mostTold, !told.contains(response) else { return false }
            told.append(response)
            return true
        }
        if isNew { ignored(response) }
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
