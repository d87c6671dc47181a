import CCallgrind

/// A path whose instructions callgrind counts.
struct HotPath {
    /// The number of counted calls. As many calls before them fill the caches.
    let calls: Int

    nonisolated(nonsending) func count(
        _ work: nonisolated(nonsending) (Int) async throws -> Void
    ) async rethrows {
        for call in 0..<calls { try await work(call) }
        guard keyturn_callgrind_start() == 1 else {
            fatalError("not under valgrind, or built before its headers were installed")  // As in main.swift.
        }
        for call in calls..<2 * calls { try await work(call) }
        keyturn_callgrind_stop()
        print(calls)
    }
}
