/// Sleeping tasks, all woken by one thread, which itself sleeps without limit when there are none.
final class Sleepers: Sendable {
    private typealias Sleeper = CheckedContinuation<Void, any Error>

    private struct State: Sendable {
        var deadlines = Deadlines<ContinuousClock.Instant, Sleeper>()
        var tickets = 0
        var hasThread = false
    }

    private let state = Locked(State())
    private let clock: WakeUp

    init(clock: WakeUp) { self.clock = clock }

    /// Sleeps. Throws `CancellationError` as soon as the task is cancelled, and ``SystemLimit`` if nothing would wake it.
    func sleep(for duration: Duration) async throws {
        let (ticket, startsThread) = state.withLock { state in
            state.tickets += 1
            defer { state.hasThread = true }
            return (state.tickets, !state.hasThread)
        }
        // Not a thread of the pool, which may be waiting for the disk.
        if startsThread { try startThread() }
        let deadline = ContinuousClock.now + duration
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                change { $0.add(continuation, ticket: ticket, at: deadline) }
                // A cancellation before the sleeper was added had no effect yet.
                if Task.isCancelled { cancel(ticket) }
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    private func startThread() throws(SystemLimit) {
        do { try SystemThread.start { [self] in while true { wait() } } } catch {
            state.withLock { $0.hasThread = false }
            throw error
        }
    }

    /// Waits for the earliest deadline or an earlier new one, and wakes the due tasks.
    private func wait() {
        let earliest = state.withLock { $0.deadlines.earliest }
        clock.wait(atMost: earliest.map { ContinuousClock.now.duration(to: $0) })
        while clock.takeSignal() {}
        for sleeper in state.withLock({ $0.deadlines.removeDue(at: .now) }) { sleeper.resume() }
    }

    private func cancel(_ ticket: Int) { change { $0.remove(ticket: ticket) }?.resume(throwing: CancellationError()) }

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

/// Sleeps on the task's pool, if it has one. Throws `CancellationError` when the task is cancelled.
package func sleep(for duration: Duration) async throws {
    guard let pool = ThreadPool.current else { return try await Task.sleep(for: duration) }
    try await pool.sleepers.sleep(for: duration)
}

/// Returns `nil` when the time limit is exceeded or the task is cancelled. Cancels late work, and leaves it behind: some work
/// can't be cancelled at once.
package func within<Value: Sendable>(_ limit: Duration, _ work: @escaping @Sendable () async -> Value) async -> Value? {
    let (results, result) = AsyncStream<Value?>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let tasks = [
        Task(executorPreference: ThreadPool.current) { _ = result.yield(await work()) },
        Task(executorPreference: ThreadPool.current) {
            // If cancelled, the result isn't needed.
            try? await sleep(for: limit)
            result.yield(nil)
        },
    ]
    defer { for task in tasks { task.cancel() } }
    return await withTaskCancellationHandler {
        await results.first { _ in true } ?? nil
    } onCancel: {
        for task in tasks { task.cancel() }
    }
}

/// The same for work that can fail.
package func value<Value: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await within(limit) { await Result(work) }?.get()
}

extension Result where Failure == any Error, Success: Sendable {
    package init(_ work: () async throws -> Success) async {
        do { self = .success(try await work()) } catch { self = .failure(error) }
    }
}

/// The deadlines of sleeping tasks. Callers pass the time.
struct Deadlines<Instant: Comparable & Sendable, Sleeper: Sendable>: Sendable {
    private struct Entry: Sendable {
        var instant: Instant
        var ticket: Int
        var sleeper: Sleeper
    }

    /// The latest deadline is first.
    private var entries: [Entry] = []

    var earliest: Instant? { entries.last?.instant }

    /// Of two equal deadlines, the first added is due first.
    mutating func add(_ sleeper: Sleeper, ticket: Int, at instant: Instant) {
        let place = entries.firstIndex { $0.instant <= instant } ?? entries.endIndex
        entries.insert(Entry(instant: instant, ticket: ticket, sleeper: sleeper), at: place)
    }

    /// Returns `nil` when it was already due or never added.
    mutating func remove(ticket: Int) -> Sleeper? {
        entries.firstIndex { $0.ticket == ticket }.map { entries.remove(at: $0).sleeper }
    }

    mutating func removeDue(at now: Instant) -> [Sleeper] {
        let first = entries.firstIndex { $0.instant <= now } ?? entries.endIndex
        defer { entries.removeSubrange(first...) }
        return entries[first...].reversed().map(\.sleeper)
    }
}
