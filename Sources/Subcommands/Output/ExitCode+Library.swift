import Foundation
import MSAL

/// The exit status for a failure of the library, by its kind.
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
            case .protocolViolation, .rejected, .other: .failed
            }
    }
}
