/// Lets concurrent callers with the same key share one piece of work and its result or error.
///
/// A cancelled caller leaves at once if others still wait. The last one cancels the work and waits for its end: work that
/// redeems a refresh token is finished and its result stored (``OneTimeWork``). A new caller waits for the end too, and
/// starts the work again if there is no result.
///
/// Work that outlives its callers, such as a wait for the user, goes on without any, until ``cancel()``.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Caller = CheckedContinuation<Value, any Error>

    private struct Flight {
        var waiting: [Int: Caller] = [:]
        var task: Task<Void, Never>?
        /// The callers that came after the cancellation, which doesn't concern them.
        var late: Set<Int> = []
        var isCancelled = false
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var tickets = 0
    }

    /// The work ended because its earlier callers were cancelled.
    private struct CancelledByOthers: Error {}

    private let state = Locked(State())
    private let outlivesCallers: Bool

    package init(outlivesCallers: Bool = false) { self.outlivesCallers = outlivesCallers }

    package func cancel() async {
        let tasks = state.withLock { $0.flights.values.compactMap(\.task) }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    package func waiting(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiting.count ?? 0 } }

    /// Returns the result of `work`, or of another caller's running work for the same key.
    package func value(for key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        while true {
            do {
                return try await valueOfFlight(key, work)
            } catch is CancelledByOthers {
                try Task.checkCancellation()
            }
        }
    }

    private func valueOfFlight(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { state in
                    var flight = state.flights[key] ?? start(key, work)
                    flight.waiting[ticket] = continuation
                    if flight.isCancelled { flight.late.insert(ticket) }
                    state.flights[key] = flight
                }
                // A cancellation before the ticket existed had no effect yet.
                if Task.isCancelled { leave(key, ticket) }
            }
        } onCancel: {
            leave(key, ticket)
        }
    }

    private func start(_ key: Key, _ work: @escaping @Sendable () async throws -> Value) -> Flight {
        // Unstructured, because any single caller may be cancelled first.
        Flight(task: Task(executorPreference: ThreadPool.current) { [self] in land(key, await Result(work)) })
    }

    private func leave(_ key: Key, _ ticket: Int) {
        let (caller, task): (Caller?, Task<Void, Never>?) = state.withLock { state in
            guard var flight = state.flights[key], flight.waiting[ticket] != nil else { return (nil, nil) }
            defer { state.flights[key] = flight }
            guard flight.waiting.count == 1, !outlivesCallers else {
                return (flight.waiting.removeValue(forKey: ticket), nil)
            }
            flight.isCancelled = true
            return (nil, flight.task)
        }
        caller?.resume(throwing: CancellationError())
        task?.cancel()
    }

    private func land(_ key: Key, _ result: Result<Value, any Error>) {
        guard let flight = state.withLock({ $0.flights.removeValue(forKey: key) }) else { return }
        for (ticket, caller) in flight.waiting {
            if case .failure = result, flight.late.contains(ticket) {
                caller.resume(throwing: CancelledByOthers())
            } else {
                caller.resume(with: result)
            }
        }
    }
}
