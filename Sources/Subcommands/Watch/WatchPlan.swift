import Foundation
import MSAL

/// Decides when to refresh which account, and when to warn the user. A value type; callers pass the time.
struct WatchPlan: Sendable {
    struct Step: Sendable {
        var due: [WatchedAccount] = []
        /// The accounts whose sign-in expires soon, of which the user isn't warned yet.
        var warnings: [(account: WatchedAccount, expiry: Date)] = []
        /// When to look again; `nil` to wait for a change.
        var next: Date?

        fileprivate mutating func wait(until date: Date?) { next = [next, date].compactMap(\.self).min() }
    }

    /// How long before its expiry a token is refreshed, in seconds: at most half of its lifetime.
    let margin: TimeInterval
    private var states: [State] = []

    init(margin: TimeInterval) { self.margin = margin }

    /// - Parameter isComplete: whether other accounts are gone, and not only unreadable.
    mutating func look(at accounts: [WatchedAccount], isComplete: Bool = true, now: Date) -> Step {
        var step = Step()
        var seen = isComplete ? [] : states.filter { state in !accounts.contains { $0.identifier == state.account } }
        for account in accounts {
            var state = states.first { $0.account == account.identifier } ?? State(account, now)
            state.take(account.tokens, now)
            let due = state.due(margin)
            if let due, due <= now { step.due.append(account) } else { step.wait(until: due) }
            let warning = state.warning(now)
            if let warning, warning.time <= now {
                state.warnedOf = warning.expiry
                step.warnings.append((account, warning.expiry))
            } else {
                step.wait(until: warning?.time)
            }
            seen.append(state)
        }
        states = seen
        return step
    }

    private mutating func change(_ account: WatchedAccount, _ work: (inout State) -> Void) {
        guard let index = states.firstIndex(where: { $0.account == account.identifier }) else { return }
        work(&states[index])
    }

    mutating func succeeded(_ account: WatchedAccount, now: Date) {
        // The next look resets the count if the token has a new expiry.
        change(account) { $0.note(.success, 0, from: State.pause, now) }
    }

    /// Returns whether the user doesn't know of the failure yet.
    mutating func failed(_ account: WatchedAccount, _ failure: Failure, now: Date) -> Bool {
        var isNew = false
        change(account) { state in
            let first = failure.isTemporary ? State.pause / 4 : State.pause
            state.note(.failure, failure.retryAfter ?? 0, from: first, now)
            isNew = state.toldFailure != failure.headline
            state.toldFailure = failure.headline
            state.needsUser = failure.exitCode == .interactionRequired
        }
        return isNew
    }
}

extension Failure {
    /// Whether it can pass without the user.
    var isTemporary: Bool {
        switch kind {
        case .unavailable, .store, .canceled: true
        case .signInRequired, .misconfigured, .protocolViolation, .rejected, .declinedScopes, .other: false
        }
    }
}

private struct State: Sendable {
    enum Attempt: Sendable { case success, failure }

    static let pause: TimeInterval = 60
    private static let longestPause: TimeInterval = 900
    private static let day: TimeInterval = 86_400

    let account: String
    private var tokens: MSALCachedTokens
    /// When the expiry of the access token and of the sign-in was first seen.
    private var accessSeen: Date
    private var signInSeen: Date
    /// The last attempt since the last look, and the number of those that brought no new token.
    private var attempt: Attempt?
    private var count = 0
    private var pausedOn: Date?
    private var pausedUntil: Date?
    /// The expiry of the sign-in that a refresh didn't postpone.
    private var fixedExpiry: Date?
    var warnedOf: Date?
    var toldFailure: String?
    /// Whether refreshing fails until the user signs in.
    var needsUser = false

    init(_ account: WatchedAccount, _ now: Date) {
        (self.account, tokens) = (account.identifier, account.tokens)
        (accessSeen, signInSeen) = (now, now)
    }

    mutating func take(_ next: MSALCachedTokens, _ now: Date) {
        // The clock can be set back.
        (accessSeen, signInSeen) = (min(accessSeen, now), min(signInSeen, now))
        if let pausedOn, pausedOn > now { pausedUntil = nil }
        if next.signInExpiry?.date != tokens.signInExpiry?.date {
            signInSeen = now
        } else if attempt == .success {
            fixedExpiry = next.signInExpiry?.date
        }
        if next.expiresOn != tokens.expiresOn { accessSeen = now }
        // After a failure, any other change than a sign-in is the removal of a rejected token.
        let isSignIn = next.canRefresh && next.signedInOn ?? .distantPast > tokens.signedInOn ?? .distantPast
        if next != tokens, attempt != .failure || isSignIn {
            (count, toldFailure, needsUser) = (0, nil, false)
            // Another process has refreshed, or the user has signed in.
            if attempt == nil { pausedUntil = nil }
        }
        (tokens, attempt) = (next, nil)
    }

    /// Pauses, each time for twice as long until a new token comes.
    mutating func note(_ attempt: Attempt, _ least: TimeInterval, from first: TimeInterval, _ now: Date) {
        (self.attempt, pausedOn) = (attempt, now)
        pausedUntil = now + max(min(least, Self.day), min(first * pow(2, Double(count)), Self.longestPause))
        count += 1
    }

    func due(_ margin: TimeInterval) -> Date? {
        guard tokens.canRefresh, !tokens.isFromOtherApplication, !needsUser else { return nil }
        func due(_ expiry: Date, _ seen: Date) -> Date {
            max(expiry - margin, seen + expiry.timeIntervalSince(seen) / 2)
        }
        let access = tokens.lastsUntilRejected ? nil : tokens.expiresOn.map { due($0, accessSeen) } ?? accessSeen
        let signIn = (tokens.signInExpiry?.date).flatMap { $0 == fixedExpiry ? nil : due($0, signInSeen) }
        guard let first = [access, signIn].compactMap(\.self).min() else { return nil }
        return max(first, pausedUntil ?? first)
    }

    /// When to warn of which expiry: a day before, or after four fifths of a shorter time. A refresh usually postpones it.
    func warning(_ now: Date) -> (time: Date, expiry: Date)? {
        let expiry =
            tokens.canRefresh ? tokens.signInExpiry?.date : tokens.lastsUntilRejected ? nil : tokens.expiresOn
        let seen = tokens.canRefresh ? signInSeen : accessSeen
        guard let expiry, expiry > now, expiry != warnedOf, !needsUser, !tokens.isFromOtherApplication else {
            return nil
        }
        return (max(expiry - Self.day, seen + expiry.timeIntervalSince(seen) * 0.8), expiry)
    }
}
