/// How long to wait after an Escape for the rest of a sequence. Grows if a rest comes later.
package struct EscapeWait: Sendable, Equatable {
    /// Enough on this machine, and hard to notice.
    private static let local = Duration.milliseconds(100)
    /// For connections that can split a sequence.
    private static let remote = Duration.milliseconds(300)
    /// Less time than a user needs from Esc to the next key.
    private static let quickestTyping = Duration.milliseconds(150)
    private static let longest = Duration.seconds(1)
    /// The slowest speed of a terminal that isn't a serial line (pty(7) reports 38400).
    private static let slowLine = 38_400

    private(set) var duration: Duration

    /// - Parameter environment: `ESCDELAY` in milliseconds (ncurses(3)); `SSH_CONNECTION` or `SSH_TTY` of ssh(1).
    /// - Parameter baud: the terminal's speed in bits per second; nil if unknown.
    package init(environment: [String: String] = [:], baud: Int? = nil) {
        if let wanted = environment["ESCDELAY"].flatMap({ Int($0) }), wanted >= 0 {
            duration = .milliseconds(min(wanted, 10_000))
            return
        }
        let isRemote = ["SSH_CONNECTION", "SSH_TTY"].contains { environment[$0]?.isEmpty == false }
        let isSlow = baud.map { $0 > 0 && $0 < Self.slowLine } ?? false
        duration = isRemote || isSlow ? Self.remote : Self.local
    }

    /// A key later than this after an Escape was pressed on its own, and isn't Alt with the key.
    var slowestAlt: Duration { min(duration / 2, Self.quickestTyping) }

    mutating func learn(lateness: Duration) {
        duration = max(duration, min(Self.longest, max(duration * 2, lateness + lateness / 2)))
    }
}
