import Foundation
import KeyturnSystem
import OAuthCore

/// An interactive sign-in that waits for its response.
///
/// Accepts one URL that matches its redirect URI and `state`.
package final class WaitingSession: Sendable {
    private enum Phase {
        case idle
        case waiting(CheckedContinuation<URL, any Error>)
        case ended(Result<URL, Ending>)
    }

    /// Why the wait ended without a response.
    package enum Ending: Error, Equatable {
        case canceled
        case overdue
        /// Nobody uses the browser any more.
        case deserted(BrowserLaunchFailure)
    }

    /// What another sign-in is told of this one.
    package let details: RunningSession
    private let state: Secret
    /// The redirect URI, or `nil` when no browser is involved. Then no URL is accepted.
    package let redirect: RedirectURI?
    /// See ``Dependencies/world``.
    package let world: ObjectIdentifier?
    /// Receives ignored responses to the redirect URI. Limited to a few, because any program or web page can send them.
    private let ignored: @Sendable (IgnoredResponse) -> Void
    private let told = Locked<[IgnoredResponse]>([])
    private let bareCode = Locked<(address: URL?, hasState: Bool)>((nil, false))
    private let phase = Locked(Phase.idle)
    /// Finishes without elements when the wait is over. For one task only.
    package let completion: AsyncStream<Never>
    private let completionSignal: AsyncStream<Never>.Continuation

    package init(
        _ details: RunningSession, state: Secret, redirect: RedirectURI?, world: ObjectIdentifier? = nil,
        ignored: @escaping @Sendable (IgnoredResponse) -> Void = { _ in }
    ) {
        self.details = details
        self.state = state
        self.redirect = redirect
        self.world = world
        self.ignored = ignored
        (completion, completionSignal) = AsyncStream.makeStream()
    }

    /// What ``deliver(_:)`` compares.
    package var awaited: (redirectURI: URL, state: String)? { redirect.map { ($0.url, state.reveal()) } }

    /// Whether the session has its response or was cancelled.
    package var hasEnded: Bool {
        phase.withLock { phase in
            if case .ended = phase { return true }
            return false
        }
    }

    package var isOverdue: Bool {
        phase.withLock { phase in
            if case .ended(.failure(.overdue)) = phase { return true }
            return false
        }
    }

    /// Delivers a URL. Returns `false`, and continues to wait, unless it is the awaited response.
    package func deliver(_ url: URL) -> Bool {
        guard let redirect, redirect.accepts(url) else { return false }
        guard AuthorizationResponse.carries(state: state.reveal(), url) else {
            if !hasEnded, let response = IgnoredResponse(url) { tell(response) }
            return false
        }
        return complete(with: .success(url))
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

    /// Suppresses the report of a response, because the caller reports it.
    package func leaveUnreported(_ url: URL) {
        guard let response = IgnoredResponse(url) else { return }
        told.withLock { told in if !told.contains(response) { told.append(response) } }
    }

    /// The response URL for a pasted code without its URL.
    ///
    /// The code could belong to another sign-in or authority. But it can be redeemed only with this sign-in's code
    /// verifier (RFC 9700 §2.1.1), and the ID token must contain this sign-in's nonce.
    ///
    /// - Parameter pasted: the state that was pasted with the code, which ``deliver(_:)`` checks.
    package func address(ofBareCode code: Secret, state pasted: Secret? = nil) -> URL? {
        guard let redirect else { return nil }
        let parameters: Parameters = ["code": code.reveal(), "state": (pasted ?? state).reveal()]
        let base = redirect.url.absoluteString
        let url = URL(string: "\(base)\(base.contains("?") ? "&" : "?")\(parameters.formEncoded)")
        bareCode.withLock { $0 = (url, pasted != nil) }
        return url
    }

    package func isMadeOfBareCode(_ url: URL) -> Bool { bareCode.withLock { $0.address == url } }

    /// Whether the state of the last pasted code was pasted, too.
    package var hasPastedState: Bool { bareCode.withLock { $0.hasState } }

    /// Cancels the wait. Returns `false` when it had already ended.
    @discardableResult
    package func cancel() -> Bool {
        complete(with: .failure(.canceled))
    }

    /// Runs `body`, and ends the wait when the limit of ``details`` is over.
    package func limited<Value: Sendable>(
        by time: any TimeSource, _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let end = details.end {
                group.addTask { [self] in
                    do {
                        try await time.sleep(untilLimit: end)
                        _ = complete(with: .failure(.overdue))
                    } catch let failure as BrowserLaunchFailure {
                        _ = complete(with: .failure(.deserted(failure)))
                    }
                }
            }
            defer { group.cancelAll() }
            return try await body()
        }
    }

    /// Waits for the response. Throws ``Ending`` when the session or the task is cancelled, or the wait is overdue.
    package func response() async throws -> URL {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let early: Result<URL, Ending>? = phase.withLock { phase in
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

    private func complete(with result: Result<URL, Ending>) -> Bool {
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
        completionSignal.finish()
        return ended
    }
}
