import Foundation
import TerminalUI

/// What the cache has for an account, as the list shows it.
package enum TokenState: Sendable, Equatable {
    /// An access token until then, and perhaps the means to get the next.
    case held(until: Date, canRenew: Bool)
    /// The next token comes without the person.
    case renewable
    /// The next token needs the person.
    case none

    /// - Parameter now: nil while the time is not known.
    func word(by now: Date?) -> String {
        switch self {
        case .held(let end, let canRenew):
            guard let now, end <= now else { return now.map { Moment.remaining(end.timeIntervalSince($0)) } ?? "held" }
            return canRenew ? TokenState.renewable.word(by: now) : "ended"
        case .renewable: return "renewable"
        case .none: return "sign in"
        }
    }

    /// The same in a sentence.
    func sentence(by now: Date?) -> String {
        switch self {
        case .held(let end, let canRenew):
            let renewal = canRenew ? "; the next comes without asking" : "; the next needs a sign-in"
            guard let now, end <= now else {
                return "an access token"
                    + (now.map { " for \(Moment.remaining(end.timeIntervalSince($0))) more" } ?? "")
                    + renewal
            }
            return "ended" + renewal
        case .renewable: return "none at hand; the next comes without asking"
        case .none: return "none; the next needs a sign-in"
        }
    }

    /// Whether the next token comes without the person.
    var canRenew: Bool {
        switch self {
        case .held(_, let canRenew): canRenew
        case .renewable: true
        case .none: false
        }
    }

    /// When the access token ends, where there is one.
    var end: Date? {
        guard case .held(let end, _) = self else { return nil }
        return end
    }

    /// Good while there is an access token, but in its last minute.
    package func style(by now: Date?) -> Style {
        guard counts(at: now) else { return .muted }
        guard let end, let now, end.timeIntervalSince(now) < 60 else { return .success }
        return .warning
    }

    /// When the words change by themselves, something has to wake the program.
    func counts(at now: Date?) -> Bool {
        guard case .held(let end, _) = self else { return false }
        return now.map { end > $0 } ?? false
    }
}
