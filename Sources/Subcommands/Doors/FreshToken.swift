import Foundation
import KeyturnSystem
import MSAL

/// A token in memory that is refreshed before it expires. Requests that need it at once share a refresh.
actor FreshToken {
    struct Held: Sendable {
        let text: String
        let authorization: String
        let expiresOn: Date?
        /// When to get another one.
        fileprivate let staleOn: Date?
        fileprivate let margin: TimeInterval
    }

    private let source: TokenSource
    private let surroundings: Surroundings
    private var held: Held?
    private var running: Task<Held, any Error>?
    private var lastFailure: Date?

    private let limits: RejectionLimits
    private static let pauseAfterFailure: TimeInterval = 10

    init(_ source: TokenSource, in surroundings: Surroundings) {
        self.source = source
        self.surroundings = surroundings
        limits = RejectionLimits(now: surroundings.now)
    }

    /// - Parameter mayInteract: whether the user may be asked to sign in.
    func current(mayInteract: Bool = false) async throws -> Held {
        if let held, !isDue(held) { return held }
        var source = source
        source.wish.minimumValidity = held.map { $0.margin + 1 } ?? 0
        do {
            return try await shared(source, mayInteract)
        } catch {
            guard let held, let expiry = held.expiresOn, expiry > surroundings.now() else { throw error }
            lastFailure = surroundings.now()
            return held
        }
    }

    /// Whether to get another token: soon before the expiry, but not at once after a failure.
    private func isDue(_ held: Held) -> Bool {
        guard let staleOn = held.staleOn, let expiry = held.expiresOn else { return false }
        let now = surroundings.now()
        let hasFailed = lastFailure.map { now.timeIntervalSince($0) < Self.pauseAfterFailure } ?? false
        return now >= (hasFailed ? expiry : staleOn)
    }

    /// There is no token in the place of a rejected one, or a server rejects one after the other.
    struct NoOther: Error {}

    /// A token in the place of one that a server rejected. Throws ``NoOther`` if there is none.
    func another(than rejected: Held) async throws -> Held {
        if let held, held.authorization != rejected.authorization { return held }
        var source = source
        while true {
            // Others' request isn't always a forced one, so it can return the rejected token.
            while let running {
                let next = try await value(of: running)
                if next.authorization != rejected.authorization { return next }
            }
            if source.forceRefresh, !limits.allowsRefresh(of: rejected.expiresOn) { throw NoOther() }
            let next = try await shared(source, false)
            if next.authorization != rejected.authorization { return next }
            guard !source.forceRefresh else { throw NoOther() }
            // No other process has got one meanwhile.
            source.forceRefresh = true
        }
    }

    /// Whoever resumes first keeps the token, so that nobody waits again for a refresh that has ended.
    private func value(of task: Task<Held, any Error>) async throws -> Held {
        defer { if running == task { running = nil } }
        let next = try await task.value
        if running == task { held = next }
        return next
    }

    private func shared(_ source: TokenSource, _ mayInteract: Bool) async throws -> Held {
        if let running { return try await value(of: running) }
        let task = Task(executorPreference: ThreadPool.current) { [surroundings] in
            let result = try await source.result(mayInteract: mayInteract, in: surroundings)
            let token = try PrintedToken(.access, of: result)
            let left = token.expiresOn?.timeIntervalSince(surroundings.now())
            let margin = TokenFile.margin(ofLifetime: left ?? 0)
            return Held(
                text: try TokenFormat.printable(token.text), authorization: result.authorizationHeader,
                expiresOn: token.expiresOn, staleOn: token.expiresOn?.addingTimeInterval(-margin), margin: margin)
        }
        running = task
        return try await value(of: task)
    }
}
