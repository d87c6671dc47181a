import Foundation
import KeyturnSystem
import MSAL

/// A clock that tests control. Sleeping advances it without waiting.
package final class ManualTime: TimeSource {
    /// 2026-01-01 00:00:00 UTC.
    package static let start = Date(timeIntervalSince1970: 1_767_225_600)

    private let current: Locked<Date>
    private let longest = Locked(Double.infinity)
    private let meanwhile = Locked<(@Sendable (Double) async throws -> Void)?>(nil)

    package init(_ date: Date = ManualTime.start) {
        current = Locked(date)
    }

    package func now() -> Date { current.withLock { $0 } }

    package func advance(by seconds: Double) {
        current.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    package func sleep(seconds: Double) async throws {
        try Task.checkCancellation()
        guard seconds < longest.withLock(\.self) else {
            let (end, signal) = AsyncStream<Void>.makeStream()
            for await _ in end {}
            signal.finish()
            throw CancellationError()
        }
        advance(by: seconds)
        try await meanwhile.withLock { $0 }?(seconds)
    }

    /// From now on, sleeping this long or longer ends only when it's cancelled.
    package func holdSleeps(from seconds: Double) { longest.withLock { $0 = seconds } }

    /// Sets a function to call during each sleep, after the clock advanced. It receives the number of seconds.
    package func meanwhile(_ happen: (@Sendable (Double) async throws -> Void)?) {
        meanwhile.withLock { $0 = happen }
    }
}
