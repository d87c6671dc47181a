/// Returns the result of `work`, or `nil` when the time limit is exceeded or the task is cancelled. Cancels late work
/// and waits for its end.
package func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            // If cancelled, the result isn't needed.
            try? await sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
