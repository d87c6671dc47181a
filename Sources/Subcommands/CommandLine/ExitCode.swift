import Glibc
import MSAL

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
    // The statuses of shells for a program that they can't run.
    case notExecutable = 126
    case notFound = 127
    case interrupted = 130
    // The status that a shell gives a process ended by the signal.
    case hungUp = 129
    case terminated = 143

    init(_ interrupted: Interrupted) {
        switch interrupted.signal {
        case SIGHUP: self = .hungUp
        case SIGTERM: self = .terminated
        case SIGALRM: self = .network
        default: self = .interrupted
        }
    }

    /// The program's own failures name their status where they are made, those of the library have that of their kind
    /// (`MSAL/Errors`). Other errors become failures in `Failure.init(reporting:)`.
    package init(_ failure: Failure) {
        self =
            failure.isOfProgram
            ? ExitCode(rawValue: Int32(truncatingIfNeeded: failure.code)) ?? .failed : ExitCode(failure.kind)
    }

    init(_ kind: MSALFailureKind) {
        self =
            switch kind {
            case .signInRequired: .interactionRequired
            case .unavailable: .network
            case .misconfigured: .configuration
            case .canceled: .cancelled
            case .declinedScopes: .declinedScopes
            case .store: .store
            case .protocolViolation, .rejected, .other: .failed
            }
    }
}

extension Failure {
    /// The domain of the program's own failures, whose code is the exit status.
    package static let programDomain = "KeyturnErrorDomain"

    var isOfProgram: Bool { domain == Self.programDomain }

    /// - Parameter name: stable, for scripts.
    package init(_ exitCode: ExitCode, name: String, _ description: String, nextStep: String) {
        self.init(
            headline: description, reason: description, advice: nextStep, domain: Self.programDomain,
            code: Int(exitCode.rawValue), codeNames: [name])
    }
}
