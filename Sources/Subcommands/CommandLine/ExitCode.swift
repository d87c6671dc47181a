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

    /// For the manual: a sentence without a full stop.
    package var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed: anything that is none of the others"
        case .usage: "the command line is wrong"
        case .configuration: "the configuration is wrong"
        case .interactionRequired: "interaction is needed and was not allowed"
        case .cancelled: "the person cancelled, or denied consent"
        case .network: "the authority or the network could not be reached, or the server is busy"
        case .store: "the token store or the keyring failed"
        case .declinedScopes: "the authority declined some scopes; the tokens were stored"
        case .interrupted: "interrupted (SIGINT)"
        case .hungUp: "the terminal went away (SIGHUP)"
        case .terminated: "told to end (SIGTERM)"
        }
    }
}

/// A failure that the program found itself, with all a person needs. Failures of the library are `NSError`s.
package struct CommandFailure: Error, Sendable, Equatable {
    package var exitCode: ExitCode
    /// For programs: one word that does not change.
    package var name: String
    /// What happened and why.
    package var description: String
    package var nextStep: String

    package init(_ exitCode: ExitCode, name: String, _ description: String, nextStep: String) {
        self.exitCode = exitCode
        self.name = name
        self.description = description
        self.nextStep = nextStep
    }
}
