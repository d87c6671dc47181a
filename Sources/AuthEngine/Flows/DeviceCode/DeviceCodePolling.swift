import Foundation

/// When to ask the authority next whether the person has entered the code, and when to stop (RFC 8628 §3.5).
///
/// It never asks sooner than the authority said. Trouble doubles the pause until an answer comes.
package struct DeviceCodePolling: Sendable, Equatable {
    package enum Answer: Sendable, Equatable {
        case pending
        case slowDown
        /// No answer, or one that says nothing. `retryAfter`: seconds for which the server wants to be left alone.
        case trouble(retryAfter: Double?)
    }

    package enum Step: Sendable, Equatable {
        /// Ask after so many seconds.
        case ask(after: Double)
        /// The code ends, in so many seconds, before it would be time to ask again.
        case expire(after: Double)
    }

    /// What RFC 8628 §3.5 adds to the interval each time a client is told to slow down.
    package static let slowDownSeconds = 5.0
    /// Trouble is looked in on at least this often, unless the authority's own interval is longer.
    package static let longestPause = 60.0

    /// Seconds between two questions, as the authority has it now.
    package private(set) var interval: Double
    private let expiresOn: Date
    private var pause: Double

    package init(interval: Int, expiresOn: Date) {
        self.interval = Double(interval)
        self.expiresOn = expiresOn
        pause = Double(interval)
    }

    package mutating func note(_ answer: Answer) {
        switch answer {
        case .pending:
            pause = interval
        case .slowDown:
            interval += Self.slowDownSeconds
            pause = interval
        case .trouble(let retryAfter):
            let doubled = min(pause * 2, max(Self.longestPause, interval))
            pause = max(doubled, retryAfter ?? 0)
        }
    }

    package func step(at now: Date) -> Step {
        let left = expiresOn.timeIntervalSince(now)
        return pause < left ? .ask(after: pause) : .expire(after: max(0, left))
    }
}
