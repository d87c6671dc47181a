import Locks
import Tasks

/// Lets concurrent callers with the same key share one piece of work and its result or error.
///
/// A cancelled caller leaves by itself. The work continues to its end even without callers: the authority may already
/// have replaced the refresh token, and redeeming the old one again looks like theft (RFC 9700 §4.14.2). New callers
/// join it.
package final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        var waiting: [Int: CheckedContinuation<Value, any Error>] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var tickets = 0
    }

    private let state = Locked(State())

    package init() {}

    /// The number of callers that wait for `key`.
    package func waiting(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiting.count ?? 0 } }

    /// Returns the result of `work`, or of another caller's running work for the same key.
    package func value(
        for key: Key, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let ticket = state.withLock { state in
            state.tickets += 1
            return state.tickets
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(key, ticket, continuation, work)
                // A cancellation before the ticket existed had no effect yet.
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
                state.flights[key] = Flight()
                // Unstructured, because any single caller may be cancelled first.
                Task(executorPreference: ThreadPool.current) { [self] in
                    do {
                        land(key, .success(try await work()))
                    } catch {
                        land(key, .failure(error))
                    }
                }
            }
            state.flights[key]?.waiting[ticket] = continuation
        }
    }

    private func leave(_ key: Key, _ ticket: Int) {
        state.withLock { $0.flights[key]?.waiting.removeValue(forKey: ticket) }?.resume(throwing: CancellationError())
    }

    private func land(_ key: Key, _ result: Result<Value, any Error>) {
        let flight = state.withLock { $0.flights.removeValue(forKey: key) }
        for continuation in (flight?.waiting ?? [:]).values { continuation.resume(with: result) }
    }
}
