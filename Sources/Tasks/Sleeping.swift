/// Sleeps on the task's pool, if it has one. Throws `CancellationError` when the task is cancelled.
package func sleep(for duration: Duration) async throws {
    guard let pool = ThreadPool.current else { return try await Task.sleep(for: duration) }
    try await pool.sleepers.sleep(for: duration)
}
