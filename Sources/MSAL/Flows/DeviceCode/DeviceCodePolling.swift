import Foundation

/// Determines when to poll next, and when to stop (RFC 8628 §3.5).
///
/// Never polls sooner than the authority allows. After an error the pause doubles until the next response.
package struct DeviceCodePolling: Sendable, Equatable {
    package enum Reply: Sendable, Equatable {
        case pending
        case slowDown
        /// A failed or unusable response. `retryAfter`: seconds to wait before the next request.
        case trouble(retryAfter: Double?)
    }

    package enum Step: Sendable, Equatable {
        /// Poll after this number of seconds.
        case poll(after: Double)
        /// The code expires in this number of seconds, before the next poll is due.
        case expire(after: Double)
    }

    /// Seconds to add to the interval after each `slow_down` (RFC 8628 §3.5).
    package static let slowDownSeconds = 5.0
    /// The longest pause after errors in seconds, unless the authority's interval is longer.
    package static let longestPause = 60.0

    /// The current polling interval in seconds.
    package private(set) var interval: Double
    private let expiresOn: Date
    private var pause: Double

    package init(interval: Int, expiresOn: Date) {
        self.interval = Double(interval)
        self.expiresOn = expiresOn
        pause = Double(interval)
    }

    package mutating func note(_ reply: Reply) {
        switch reply {
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
        return pause < left ? .poll(after: pause) : .expire(after: max(0, left))
    }
}
