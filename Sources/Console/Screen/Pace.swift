/// How often the model needs a tick; `.still` if nothing on the screen changes with time.
package enum Pace: Sendable, Equatable {
    case still, everyMinute, everySecond, tenTimesASecond

    /// The seconds between ticks; nil for none.
    package var interval: Double? {
        switch self {
        case .still: nil
        case .everyMinute: 60
        case .everySecond: 1
        case .tenTimesASecond: 0.1
        }
    }
}

extension Context {
    /// The pace of a screen with a spinner.
    var runningPace: Pace { options.noMotion ? .everySecond : .tenTimesASecond }
}
