import Foundation
import KeyturnSystem
import OAuthCore

/// An interactive sign-in that waits for its response: one URL that matches its redirect URI and `state`.
package final class WaitingSession: Sendable {
    private enum Phase {
        case idle
        case waiting(CheckedContinuation<URL, any Error>)
        case ended(Result<URL, Ending>)

        var isEnded: Bool { if case .ended = self { true } else { false } }
    }

    package enum Ending: Error, Equatable {
        case canceled, overdue
        /// Nobody uses the browser any more.
        case deserted(BrowserLaunchFailure)
    }

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
        (self.details, self.state, self.redirect) = (details, state, redirect)
        (self.world, self.ignored) = (world, ignored)
        (completion, completionSignal) = AsyncStream.makeStream()
    }

    package var awaited: (redirectURI: URL, state: String)? { redirect.map { ($0.url, state.reveal()) } }

    package var hasEnded: Bool { phase.withLock(\.isEnded) }

    package var isOverdue: Bool {
        phase.withLock { if case .ended(.failure(.overdue)) = $0 { true } else { false } }
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

    /// The response URL for a pasted code without its URL. The code could belong to another sign-in or authority, but can be
    /// redeemed only with this sign-in's code verifier (RFC 9700 §2.1.1), and the ID token must contain this sign-in's nonce.
    /// ``deliver(_:)`` checks a state that was pasted with it.
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
    @discardableResult package func cancel() -> Bool { complete(with: .failure(.canceled)) }

    package func limited<Value: Sendable>(
        by time: any TimeSource, _ body: () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let end = details.end {
                group.addTask { [self] in
                    do {
                        try await time.sleep(untilLimit: end)
                        _ = complete(with: .failure(.overdue))
                    } catch let failure as BrowserLaunchFailure { _ = complete(with: .failure(.deserted(failure))) }
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
        let earlier = phase.withLock { phase in
            let earlier = phase
            if !earlier.isEnded { phase = .ended(result) }
            return earlier
        }
        if case .waiting(let continuation) = earlier { continuation.resume(with: result) }
        completionSignal.finish()
        return !earlier.isEnded
    }
}

/// The interactive sessions of this process: one at a time for each ``Dependencies/world``, as in MSAL for iOS and
/// macOS. The engine's only global state, because `handleMSALResponse` is a static method.
package enum InteractiveSessions {
    private static let sessions = Locked<[WaitingSession]>([])

    /// The ``Dependencies/world`` whose sign-in the static methods reach, so that tests side by side don't end each other's.
    @TaskLocal package static var reached: ObjectIdentifier?

    package static func begin(_ session: WaitingSession) throws {
        try requireNone(in: session.world, at: session.details.start, beginning: session)
    }

    /// Throws while another session of the world waits. One that has ended doesn't count, so that a user who cancels can start
    /// again at once.
    package static func requireNone(
        in world: ObjectIdentifier?, at now: Date, beginning session: WaitingSession? = nil
    ) throws {
        let running = sessions.withLock { sessions in
            sessions.removeAll(where: \.hasEnded)
            let running = sessions.first { $0.world == world }
            if let session, running == nil { sessions.append(session) }
            return running
        }
        if let running { throw AuthenticationFailure.caller(.sessionAlreadyRunning(running.details, now: now)) }
    }

    package static func finish(_ session: WaitingSession) {
        sessions.withLock { $0.removeAll { $0 === session } }
    }

    package static func deliver(_ url: URL) -> Bool {
        sessions.withLock { $0 }.contains { $0.deliver(url) }
    }

    package static func deliver(_ url: URL, in world: ObjectIdentifier?) -> Bool {
        sessions.withLock { $0.first { $0.world == world } }?.deliver(url) ?? false
    }

    package static func latest(in world: ObjectIdentifier? = reached) -> WaitingSession? {
        sessions.withLock { $0.last { $0.world == world } }
    }
}

/// An authorization response that a waiting sign-in ignored because its `state` doesn't match (RFC 6749 §10.12).
package struct IgnoredResponse: Sendable, Equatable {
    /// Whether the response has a `state`. Some authorities omit it from errors.
    package let hasState: Bool
    package let error: String?

    /// Returns `nil` when the URL contains no authorization response.
    package init?(_ url: URL) {
        let parameters = AuthorizationResponse.parameters(of: url)
        let isError = parameters["error"]?.isEmpty == false
        guard isError || parameters["code"]?.isEmpty == false else { return nil }
        hasState = parameters["state"]?.isEmpty == false
        error = isError ? parameters["error"].map(Self.safe) : nil
    }

    /// The code if it is a plain word. Other text isn't repeated, because anyone can send it.
    private static func safe(_ error: String) -> String { error.isPlainErrorCode ? error : "unknown" }

    package var explanation: String {
        let what = error.map { "the error \($0)" } ?? "a code"
        let why =
            hasState
            ? "its state is from another sign-in, perhaps not yours" : "it has no state, so it is perhaps not yours"
        let next =
            error == nil
            ? "If you opened an earlier URL, open the current one."
            : "If you declined in the browser, cancel here. Otherwise continue there."
        return "Ignored a response with \(what): \(why). Still waiting. \(next)"
    }
}
