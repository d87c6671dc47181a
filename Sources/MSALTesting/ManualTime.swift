import Foundation
import KeyturnSystem
import MSAL

/// A clock that tests control. Sleeping advances it without waiting. A limit ends when the clock has reached it.
package final class ManualTime: TimeSource {
    /// 2026-01-01 00:00:00 UTC.
    package static let start = Date(timeIntervalSince1970: 1_767_225_600)

    private struct State {
        var now: Date
        var limits: [(end: Date, signal: AsyncStream<Void>.Continuation)] = []
    }

    private let state: Locked<State>
    private let patience: Duration?
    private let longest = Locked(Double.infinity)
    private let meanwhile = Locked<(@Sendable (Double) async throws -> Void)?>(nil)

    /// - Parameter patience: the real time after which a limit that no test reaches fails the wait.
    package init(_ date: Date = ManualTime.start, patience: Duration? = nil) {
        state = Locked(State(now: date))
        self.patience = patience
    }

    package func now() -> Date { state.withLock { $0.now } }

    package func advance(by seconds: Double) {
        let reached = state.withLock { state in
            state.now = state.now.addingTimeInterval(seconds)
            let (now, limits) = (state.now, state.limits)
            state.limits.removeAll { $0.end <= now }
            return limits.filter { $0.end <= now }
        }
        for limit in reached { limit.signal.finish() }
    }

    package func sleep(untilLimit end: Date) async throws {
        let (reached, signal) = AsyncStream<Void>.makeStream()
        let isOver = state.withLock { state in
            if state.now < end { state.limits.append((end, signal)) }
            return state.now >= end
        }
        guard !isOver else { return }
        guard let patience else {
            for await _ in reached {}
            return try Task.checkCancellation()
        }
        let isReached: Void? = await within(patience) { for await _ in reached {} }
        try Task.checkCancellation()
        guard isReached == nil else { return }
        throw BrowserLaunchFailure(
            .noBrowser,
            reason: "The test left the page open. Await waitForOpenPage(), then call advance(by:) or cancelSignIn().")
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
