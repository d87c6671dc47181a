import Foundation
import MSAL

/// Which exit code a failure of the library becomes: its kind says it.
extension ExitCode {
    package init(_ error: NSError) {
        self =
            switch error.failureKind {
            case .signInRequired: .interactionRequired
            case .unavailable: .network
            case .misconfigured: .configuration
            case .canceled: .cancelled
            case .declinedScopes: .declinedScopes
            case .store: .store
            case .protocolViolation, .refused, .other: .failed
            }
    }
}
