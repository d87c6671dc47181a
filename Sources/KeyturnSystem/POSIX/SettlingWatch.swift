import Glibc

/// Decides how long to wait for an empty or incomplete file. Programs that write a file in place truncate it first, so for a
/// moment nothing or only a part is there. It is final if it hasn't changed for a while, and no process has it open for writing.
package struct SettlingWatch {
    package struct Patience: Sendable {
        /// The seconds without a change after which a file that no process is writing is final.
        package var quietSeconds: Double
        package var seconds: Double

        package init(quietSeconds: Double = 2, seconds: Double = 5) {
            (self.quietSeconds, self.seconds) = (quietSeconds, seconds)
        }
    }

    package enum Verdict: Equatable {
        case again(microseconds: UInt32)
        case final
        /// The wait is over. `nil` if the writer is unknown.
        case unfinished(writer: RunningProcess?)
    }

    struct Observation {
        var version: FileVersion
        /// The seconds since the file was modified. Negative if the clock was set back.
        var age: Double
        /// Of ``MonotonicClock``.
        var now: Double
    }

    private let path: String
    private let patience: Patience
    private var start: Double?
    private var seen: (version: FileVersion, since: Double)?

    package init(path: String, patience: Patience) { (self.path, self.patience) = (path, patience) }

    /// - Parameter version: one that was found empty or incomplete.
    package mutating func verdict(on version: FileVersion) -> Verdict {
        let modified = Double(version.modifiedSeconds) + Double(version.modifiedNanoseconds) / 1e9
        let observation = Observation(
            version: version, age: MonotonicClock.secondsSince1970() - modified, now: MonotonicClock.seconds())
        return verdict(on: observation) { [path] in RunningProcess.writing(version.identity, at: path) }
    }

    /// - Parameter writer: searches all processes, so it is called only if the result matters.
    mutating func verdict(on observation: Observation, writer: () -> RunningProcess?) -> Verdict {
        let now = observation.now
        let start = self.start ?? now
        self.start = start
        if seen?.version != observation.version { seen = (observation.version, now) }
        let unchanged = now - (seen?.since ?? now)
        let isQuiet = max(observation.age, unchanged) >= patience.quietSeconds
        let isOver = now - start >= patience.seconds
        guard isQuiet || isOver else { return .again(microseconds: 5_000) }
        let writer = writer()
        if isQuiet && writer == nil { return .final }
        // The search through all processes took long.
        return isOver ? .unfinished(writer: writer) : .again(microseconds: 100_000)
    }
}

/// The clock for waits, which nobody sets.
package enum MonotonicClock {
    /// The seconds since an unspecified time.
    package static func seconds() -> Double { clock(CLOCK_MONOTONIC) }

    /// The seconds since 1970, as in the times of files.
    static func secondsSince1970() -> Double { clock(CLOCK_REALTIME) }

    private static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
