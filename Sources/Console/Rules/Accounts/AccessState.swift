import Foundation
import TerminalUI

/// What is known of an account's cached access token, without the time.
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
    package func state(by now: Date?) -> AccountState {
        switch self {
        case .held(let expiry, let canRefresh):
            guard let now else { return .valid(until: expiry) }
            let left = expiry.timeIntervalSince(now)
            if left <= 0 { return canRefresh ? .refreshable : .signInRequired }
            return left < AccountState.soon ? .expiring(until: expiry) : .valid(until: expiry)
        case .lasting: return .valid(until: nil)
        case .refreshable: return .refreshable
        case .none: return .signInRequired
        }
    }

    func sentence(by now: Date?, in zone: TimeZone) -> String {
        let state = state(by: now)
        guard let now, counts(at: now) else { return state.word(by: now) }
        let next = canRefresh ? AccountState.refreshable : .signInRequired
        return "\(state.sentence(by: now, in: zone)), then \(next.cell(by: now))"
    }

    var canRefresh: Bool {
        switch self {
        case .held(_, let canRefresh): canRefresh
        case .refreshable: true
        case .lasting, .none: false
        }
    }

    var withoutRefresh: AccessState {
        switch self {
        case .held(let expiry, _): .held(until: expiry, canRefresh: false)
        case .lasting: .lasting
        case .refreshable, .none: .none
        }
    }

    var expiry: Date? { if case .held(let expiry, _) = self { expiry } else { nil } }

    /// Whether the text changes with time, so that the screen needs a timer.
    func counts(at now: Date?) -> Bool {
        guard case .held(let expiry, _) = self else { return false }
        return now.map { expiry > $0 } ?? false
    }
}

/// The state of an account at a time, as `keyturn status`, `keyturn accounts` and the screen show it.
package enum AccountState: Sendable, Equatable {
    /// The expiry is nil if the server states none.
    case valid(until: Date?)
    case expiring(until: Date)
    /// The next use refreshes the access token, without the user.
    case refreshable
    case signInRequired

    /// The rest in seconds below which a token expires soon. The library itself replaces such a token if it can.
    static let soon: TimeInterval = 300

    private var look: (name: String, sign: KeyPath<Glyphs, String>, style: Style) {
        switch self {
        case .valid: ("valid", \.full, .success)
        case .expiring: ("expiring", \.warning, .warning)
        case .refreshable: ("refreshable", \.half, .muted)
        case .signInRequired: ("signInRequired", \.cross, .danger)
        }
    }

    /// The name for scripts.
    package var name: String { look.name }
    /// The sign before the words, so that no state depends on colour.
    package func sign(_ glyphs: Glyphs) -> String { glyphs[keyPath: look.sign] }
    package var style: Style { look.style }

    package var expiry: Date? {
        switch self {
        case .valid(let expiry): expiry
        case .expiring(let expiry): expiry
        case .refreshable, .signInRequired: nil
        }
    }

    package func word(by now: Date?) -> String {
        switch self {
        case .valid(nil): return "valid, no expiry"
        case .valid, .expiring:
            guard let left = expiry.flatMap({ expiry in now.map { expiry.timeIntervalSince($0) } }) else {
                return "valid"
            }
            return left < 60 ? "expires soon" : "valid \(Moment.remaining(left))"
        case .refreshable: return "refreshes at use"
        case .signInRequired: return "sign in again"
        }
    }

    /// The shortest words, for the list: an arrow key draws two rows again, and each byte counts.
    func cell(by now: Date?) -> String {
        switch self {
        case .valid(nil): "no expiry"
        case .refreshable: "refreshes"
        case .valid, .expiring, .signInRequired: word(by: now)
        }
    }

    package func sentence(by now: Date, in zone: TimeZone) -> String {
        word(by: now) + (expiry.map { ", until \(Moment.clock($0, in: zone, from: now))" } ?? "")
    }
}
