/// The process whose turn others wait for.
package struct TurnHolder: Sendable, Equatable {
    package var name: String
    /// By SIGSTOP, Ctrl-Z or a debugger.
    package var isStopped: Bool

    package init(name: String, isStopped: Bool) { (self.name, self.isStopped) = (name, isStopped) }

    package static func remedy(_ holder: TurnHolder?) -> String {
        guard holder?.isStopped == true else {
            return "Try again later, or end that \(holder == nil ? "program" : "process")."
        }
        return "Continue that process (kill -CONT), then try again. "
            + "If you end it instead, its user may have to sign in again."
    }
}

/// Determines how long to wait for another process's turn. The pauses are short at first.
package struct TurnWait: Sendable {
    package static let limitIfStopped = 10.0
    private static let longestPause = 0.25

    private let limit: Double
    package private(set) var waited = 0.0
    private var waitedForStopped = 0.0
    private var pause = 0.01

    package init(limit: Double) { self.limit = limit }

    /// Returns the next pause in seconds, or `nil` when the wait is over.
    package mutating func next(_ holder: TurnHolder?) -> Double? {
        guard waited < limit, waitedForStopped < Self.limitIfStopped else { return nil }
        pause = min(pause * 1.5, Self.longestPause)
        waited += pause
        waitedForStopped = holder?.isStopped == true ? waitedForStopped + pause : 0
        return pause
    }
}
