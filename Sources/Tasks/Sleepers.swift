import Foundation
import Locks

/// Sleeping tasks, all woken by one thread, which itself sleeps without limit when there are none.
final class Sleepers: Sendable {
    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State: Sendable {
        var deadlines = Deadlines<ContinuousClock.Instant, Sleeper>()
        var tickets = 0
        var hasThread = false
    }

    private let state = Locked(State())
    /// Wakes the thread so that it checks the deadlines.
    private let clock: WakeUp

    init(clock: WakeUp) { self.clock = clock }

    /// Sleeps. Throws `CancellationError` as soon as the task is cancelled.
    func sleep(for duration: Duration) async throws {
        let (ticket, startsThread) = state.withLock { state in
            state.tickets += 1
            defer { state.hasThread = true }
            return (state.tickets, !state.hasThread)
        }
        // Not a thread of the pool, which may be waiting for the disk.
        if startsThread { Thread.detachNewThread { [self] in while true { wait() } } }
        let end = ContinuousClock.now + duration
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { $0.add(continuation, ticket: ticket, at: end) }
                // A cancellation before the sleeper was added had no effect yet.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Waits for the earliest deadline or an earlier new one, and wakes the due tasks.
    private func wait() {
        let earliest = state.withLock { $0.deadlines.earliest }
        clock.wait(atMost: earliest.map { ContinuousClock.now.duration(to: $0) })
        while clock.take() {}
        for sleeper in state.withLock({ $0.deadlines.removeDue(at: .now) }) { sleeper.resume() }
    }

    private func cancel(_ ticket: Int) {
        change { $0.remove(ticket: ticket) }?.resume(throwing: CancellationError())
    }

    private func change<Value: Sendable>(
        _ body: (inout Deadlines<ContinuousClock.Instant, Sleeper>) -> Value
    ) -> Value {
        let (value, isOther) = state.withLock { state in
            let before = state.deadlines.earliest
            let value = body(&state.deadlines)
            return (value, state.deadlines.earliest != before)
        }
        if isOther { clock.signal() }
        return value
    }
}
