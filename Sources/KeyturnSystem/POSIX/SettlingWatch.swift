/// Decides how long to wait for an empty or incomplete file. Programs that write a file in place truncate it first, so
/// for a moment nothing or only a part is there.
///
/// The file is final if it hasn't changed for a while, and no process has it open for writing.
package struct SettlingWatch {
    package struct Patience: Sendable {
        /// The seconds without a change after which a file that no process is writing is final.
        package var quietSeconds = 2.0
        /// The longest wait.
        package var seconds = 5.0

        package init(quietSeconds: Double = 2, seconds: Double = 5) {
            self.quietSeconds = quietSeconds
            self.seconds = seconds
        }
    }

    package enum Verdict: Equatable {
        /// Read the file again after this time.
        case again(microseconds: UInt32)
        /// Nobody is about to complete the file.
        case final
        /// The wait is over. `nil` if the writer is unknown.
        case unfinished(writer: RunningProcess?)
    }

    /// The values that decide.
    struct Observation {
        var version: FileVersion
        /// The seconds since the file was modified. Negative if the clock was set back.
        var age: Double
        /// The current time of ``MonotonicClock``.
        var now: Double
    }

    private let path: String
    private let patience: Patience
    private var start: Double?
    private var seen: (version: FileVersion, since: Double)?

    package init(path: String, patience: Patience) {
        self.path = path
        self.patience = patience
    }

    /// The verdict on a version of the file that was found empty or incomplete.
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
        guard isQuiet || isOver else { return .again(microseconds: Self.pause) }
        let writer = writer()
        if isQuiet && writer == nil { return .final }
        return isOver ? .unfinished(writer: writer) : .again(microseconds: Self.longPause)
    }

    private static let pause: UInt32 = 5_000
    /// The pause after a search through all processes.
    private static let longPause: UInt32 = 100_000
}
