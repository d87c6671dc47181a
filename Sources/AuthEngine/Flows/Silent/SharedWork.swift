import Synchronization

/// Lets callers who want the same thing at the same time share one piece of work and its result or error.
///
/// A caller that is cancelled leaves alone; the work is cancelled when nobody waits for it any more.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        /// Tells a flight from a later one of the same key.
        var number: Int
        var task: Task<Void, Never>
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var numbers = 0

        mutating func nextNumber() -> Int {
            numbers += 1
            return numbers
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// How many callers wait for `key`.
    package func waiting(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiting.count ?? 0 } }

    /// The result of `work`, or of the same work that another caller has under way.
    package func value(
        for key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let ticket = state.withLock { $0.nextNumber() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(key, ticket, continuation, work)
                // A cancellation before the ticket was taken found nobody to wake.
                if Task.isCancelled { leave(key, ticket) }
            }
        } onCancel: {
            leave(key, ticket)
        }
    }

    private func join(
        _ key: Key, _ ticket: Int, _ continuation: CheckedContinuation<Value, any Error>,
        _ work: @escaping @Sendable () async throws -> Value
    ) {
        state.withLock { state in
            if state.flights[key] == nil {
                let number = state.nextNumber()
                // Unstructured, because it belongs to no single caller: any of them may be cancelled first.
                let task = Task {
                    do {
                        land(key, number, .success(try await work()))
                    } catch {
                        land(key, number, .failure(error))
                    }
                }
                state.flights[key] = Flight(number: number, task: task)
            }
            state.flights[key]?.waiting[ticket] = continuation
        }
    }

    private func leave(_ key: Key, _ ticket: Int) {
        let (continuation, abandoned) = state.withLock { state in
            let continuation = state.flights[key]?.waiting.removeValue(forKey: ticket)
            guard continuation != nil, let flight = state.flights[key], flight.waiting.isEmpty else {
                return (continuation, nil as Task<Void, Never>?)
            }
            state.flights[key] = nil
            return (continuation, flight.task)
        }
        continuation?.resume(throwing: CancellationError())
        abandoned?.cancel()
    }

    private func land(_ key: Key, _ number: Int, _ result: Result<Value, any Error>) {
        let waiting: [CheckedContinuation<Value, any Error>] = state.withLock { state in
            guard let flight = state.flights[key], flight.number == number else { return [] }
            state.flights[key] = nil
            return Array(flight.waiting.values)
        }
        for continuation in waiting { continuation.resume(with: result) }
    }
}
