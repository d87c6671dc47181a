/// Measures the time of calls.
enum Stopwatch {
    /// Microseconds per call: the fastest of many short rounds, which other programs disturbed least.
    ///
    /// On the caller's thread: switching threads would dominate the measurement.
    nonisolated(nonsending) static func microseconds(
        rounds: Int = 200, calls: Int = 250, _ work: nonisolated(nonsending) (Int) async throws -> Void
    ) async rethrows -> Double {
        var best = Duration.seconds(3600)
        for round in 0..<rounds {
            let start = ContinuousClock.now
            for call in 0..<calls { try await work(round * calls + call) }
            best = min(best, ContinuousClock.now - start)
        }
        return best / .microseconds(1) / Double(calls)
    }
}
