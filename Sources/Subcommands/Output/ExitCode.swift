import Glibc

/// What the program's exit tells a script.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case configuration = 3
    case interactionRequired = 4
    /// The person cancelled, or denied consent.
    case cancelled = 5
    case network = 6
    /// The token store or the keyring failed.
    case store = 7
    /// The authority declined some scopes; the tokens were stored.
    case declinedScopes = 8
    /// By the person's Ctrl-C.
    case interrupted = 130
    // As a shell gives them for a process that the signal ended.
    case hungUp = 129
    case terminated = 143

    /// What the program ends with when a signal stopped it.
    init(_ interrupted: Interrupted) {
        switch interrupted.signal {
        case SIGHUP: self = .hungUp
        case SIGTERM: self = .terminated
        default: self = .interrupted
        }
    }
}
