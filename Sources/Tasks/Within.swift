/// What `work` gives; `nil` when it takes longer than the limit, or when the task is cancelled first. Work that is late is
/// cancelled, and still waited for.
package func within<Value: Sendable>(
    _ limit: Duration, _ work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            // Woken early only when cancelled, and then nobody waits any more.
            try? await sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
