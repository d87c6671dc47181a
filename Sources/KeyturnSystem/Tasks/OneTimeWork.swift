/// Work that redeems a credential that is valid once, such as a code or a refresh token. Once begun, it is finished, because its
/// result can't be had again. A cancelled caller still waits for it; the work itself is cancelled only after ``grace``.
package final class OneTimeWork: Sendable {
    private struct Count {
        var running = 0
        var abandoned = 0
    }

    private struct State {
        var isCancelled = false
        var isAbandoned = false
        var withdrawals: [Int: @Sendable () -> Void] = [:]
        var tickets = 0
    }

    package struct Abandoned: Error {}

    /// In seconds, after the cancellation of its caller.
    package static let grace = 10.0

    @TaskLocal package static var current: OneTimeWork?

    /// Of the whole process, because a signal can end it at any time.
    private static let count = Locked(Count())

    package static var isRunning: Bool { count.withLock { $0.running > 0 } }

    /// Whether a result is lost if the process ends now, or was lost before.
    package static var mayLoseResults: Bool { count.withLock { $0.running > 0 || $0.abandoned > 0 } }

    private let state = Locked(State())

    private init() {}

    /// Throws ``Abandoned`` if the work had to be cancelled.
    package static func run<Value: Sendable>(
        sleep: @escaping @Sendable (_ seconds: Double) async throws -> Void,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        count.withLock { $0.running += 1 }
        defer { count.withLock { $0.running -= 1 } }
        return try await OneTimeWork().run(sleep, work)
    }

    private func run<Value: Sendable>(
        _ sleep: @escaping @Sendable (Double) async throws -> Void, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        // Unstructured, so that the caller's cancellation doesn't reach it.
        let task = Task(executorPreference: ThreadPool.current) {
            try await Self.$current.withValue(self) { try await work() }
        }
        let (cancellation, caller) = AsyncStream<Never>.makeStream()
        let limit = Task(executorPreference: ThreadPool.current) { [self] in
            for await _ in cancellation {}
            try await sleep(Self.grace)
            state.withLock { $0.isAbandoned = true }
            task.cancel()
        }
        defer { limit.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            caller.finish()
            cancel()
        }
        guard case .failure = result, state.withLock(\.isAbandoned) else { return try result.get() }
        Self.count.withLock { $0.abandoned += 1 }
        throw Abandoned()
    }

    private func cancel() {
        let withdrawals = state.withLock { state in
            state.isCancelled = true
            return Array(state.withdrawals.values)
        }
        for withdraw in withdrawals { withdraw() }
    }

    /// - Parameter withdraw: called when the work's caller is cancelled. Keeps the request from being sent, if it hasn't left.
    package func send<Response>(
        withdraw: @escaping @Sendable () -> Void, _ send: () async -> Response
    ) async -> Response {
        let (ticket, isCancelled) = state.withLock { state in
            state.tickets += 1
            state.withdrawals[state.tickets] = withdraw
            return (state.tickets, state.isCancelled)
        }
        defer { state.withLock { _ = $0.withdrawals.removeValue(forKey: ticket) } }
        if isCancelled { withdraw() }
        return await send()
    }
}
