import Foundation
import TerminalUI

/// The state of an account's cached access token.
package enum AccessState: Sendable, Equatable {
    /// A cached access token and its expiry; `canRefresh` if a refresh token or broker can replace it.
    case held(until: Date, canRefresh: Bool)
    /// A cached access token whose expiry the server doesn't state.
    case lasting
    /// No valid access token, but the next one needs no sign-in.
    case refreshable
    /// No token; the user must sign in.
    case none

    /// - Parameter now: nil if the time is unknown.
    func word(by now: Date?) -> String {
        switch self {
        case .held(let expiry, let canRefresh):
            guard let now else { return "valid" }
            let left = expiry.timeIntervalSince(now)
            if left <= 0 { return canRefresh ? AccessState.refreshable.word(by: now) : "expired" }
            return left < 60 ? "expires soon" : "valid \(Moment.remaining(left))"
        case .lasting: return "valid, no expiry"
        case .refreshable: return "refreshable"
        case .none: return "sign-in needed"
        }
    }

    /// The state for a list: a bar and the time until expiry, and a mark if the next token needs no sign-in. A full bar is
    /// an hour, the usual lifetime.
    func bar(by now: Date?, _ glyphs: Glyphs) -> String {
        guard let now, let expiry, counts(at: now) else { return word(by: now) }
        let left = expiry.timeIntervalSince(now)
        return
            "\(glyphs.bar(left / 3600, width: 6)) \(Moment.remaining(left))\(canRefresh ? " \(glyphs.refreshing)" : "")"
    }

    /// The state, and whether the next token needs a sign-in.
    func sentence(by now: Date?) -> String {
        let word = word(by: now)
        if self == .lasting { return word }
        let next = (canRefresh ? AccessState.refreshable : .none).word(by: now)
        guard word != next else { return word }
        return counts(at: now) ? "\(word), then \(next)" : "\(word), \(next)"
    }

    /// Whether the next token needs no sign-in.
    var canRefresh: Bool {
        switch self {
        case .held(_, let canRefresh): canRefresh
        case .refreshable: true
        case .lasting, .none: false
        }
    }

    /// The state if no refresh works.
    var withoutRefresh: AccessState {
        switch self {
        case .held(let expiry, _): .held(until: expiry, canRefresh: false)
        case .lasting: .lasting
        case .refreshable, .none: .none
        }
    }

    /// The expiry of the cached access token.
    var expiry: Date? {
        guard case .held(let expiry, _) = self else { return nil }
        return expiry
    }

    /// Success while the token is valid, warning in its last minute.
    package func style(by now: Date?) -> Style {
        if self == .lasting { return .success }
        guard counts(at: now) else { return .muted }
        guard let expiry, let now, expiry.timeIntervalSince(now) < 60 else { return .success }
        return .warning
    }

    /// Whether the text changes with time, so that the screen needs a timer.
    func counts(at now: Date?) -> Bool {
        guard case .held(let expiry, _) = self else { return false }
        return now.map { expiry > $0 } ?? false
    }
}
