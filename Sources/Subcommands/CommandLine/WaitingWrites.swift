import KeyturnSystem

/// The writes that wait now, for example because a terminal takes no output.
enum WaitingWrites {
    private static let starts = Locked<[Int32: ContinuousClock.Instant]>([:])

    static func begin(to descriptor: Int32) { starts.withLock { $0[descriptor] = .now } }
    static func end(to descriptor: Int32) { starts.withLock { $0[descriptor] = nil } }

    /// Whether a write has waited this long.
    static func exist(longerThan limit: Duration) -> Bool {
        starts.withLock { $0.values.contains { $0.duration(to: .now) > limit } }
    }
}
