/// How often the model needs to hear the time. When nothing on the screen changes by itself it is `.still`.
package enum Pace: Sendable, Equatable {
    case still, everyMinute, everySecond, tenTimesASecond

    /// Seconds between ticks; nil: none.
    package var interval: Double? {
        switch self {
        case .still: nil
        case .everyMinute: 60
        case .everySecond: 1
        case .tenTimesASecond: 0.1
        }
    }
}

extension Model {
    package var pace: Pace {
        switch routes.last {
        case .signIn, .silent: options.noMotion ? .everySecond : .tenTimesASecond
        case .check(let state) where state.running != nil: options.noMotion ? .everySecond : .tenTimesASecond
        case .claims: .everyMinute
        case .failure(let state) where state.report.wait(at: now) != nil: .everySecond
        case .signInForm, .failure, .check, .scenarios, .providers, .setUp, .profiles: .still
        case nil: accounts.counts(at: now) ? .everyMinute : .still
        }
    }
}
