import Foundation
import Glibc

/// The exit status of the program.
package enum ExitCode: Int32, Sendable, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case configuration = 3
    case interactionRequired = 4
    /// The user cancelled or denied consent.
    case cancelled = 5
    case network = 6
    /// The token store or the keyring failed.
    case store = 7
    /// The authority granted only some of the scopes; the tokens are cached.
    case declinedScopes = 8
    /// Ctrl-C.
    case interrupted = 130
    // The status that a shell gives a process ended by the signal.
    case hungUp = 129
    case terminated = 143

    /// The status after a signal.
    init(_ interrupted: Interrupted) {
        switch interrupted.signal {
        case SIGHUP: self = .hungUp
        case SIGTERM: self = .terminated
        default: self = .interrupted
        }
    }

    /// A sentence for the manual, without a full stop.
    package var meaning: String {
        switch self {
        case .done: "Success"
        case .failed: "Any other failure"
        case .usage: "Invalid command line"
        case .configuration: "Invalid configuration"
        case .interactionRequired: "Sign-in required, but not allowed"
        case .cancelled: "The user cancelled or denied consent"
        case .network: "The authority is unreachable or busy, or another process takes too long"
        case .store: "The token cache or the keyring failed"
        case .declinedScopes: "The authority granted only some of the scopes; the tokens are cached"
        case .interrupted: "Interrupted (SIGINT)"
        case .hungUp: "The terminal closed (SIGHUP)"
        case .terminated: "Terminated (SIGTERM)"
        }
    }
}

/// A failure of the program itself. Failures of the library are `NSError`s.
package struct CommandFailure: Error, Sendable, Equatable {
    package var exitCode: ExitCode
    /// A stable name for scripts.
    package var name: String
    /// The outcome and its cause.
    package var description: String
    package var nextStep: String

    package init(_ exitCode: ExitCode, name: String, _ description: String, nextStep: String) {
        self.exitCode = exitCode
        self.name = name
        self.description = description
        self.nextStep = nextStep
    }
}

extension CommandFailure: LocalizedError {
    /// For code that knows only `NSError`, such as the screens.
    package var errorDescription: String? { description }
    package var recoverySuggestion: String? { nextStep.isEmpty ? nil : nextStep }
}
