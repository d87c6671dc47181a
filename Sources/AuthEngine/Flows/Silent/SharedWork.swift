import Locks
import Tasks

/// Lets callers who want the same thing at the same time share one piece of work and its result or error.
///
/// A caller that is cancelled leaves alone. The work goes on to its end even when nobody waits for it any more: an
/// authority may have replaced the refresh token already, and one that is redeemed a second time looks stolen
/// (RFC 9700 §4.14.2). Whoever asks meanwhile joins it.
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

    /// How many callers wait for `key`.
    package func waiting(for key: Key) -> Int { state.withLock { $0.flights[key]?.waiting.count ?? 0 } }

    /// The result of `work`, or of the same work that another caller has under way.
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
                state.flights[key] = Flight()
                // Unstructured, because it belongs to no single caller: any of them may be cancelled first.
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
