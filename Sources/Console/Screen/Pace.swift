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

extension Context {
    /// Of a screen with something that turns while it runs.
    var runningPace: Pace { options.noMotion ? .everySecond : .tenTimesASecond }
}
