import AuthEngine
import Foundation

/// A failure as far as a finding tells it: what and why, and what to do.
package struct FailureFact: Error, Sendable, Equatable {
    package var reason: String
    package var nextStep: String

    package init(reason: String, nextStep: String) {
        self.reason = reason
        self.nextStep = nextStep
    }

    package init(_ error: any Error) {
        let error = error as NSError
        self.init(
            reason: error.localizedDescription,
            nextStep: error.localizedRecoverySuggestion ?? "Try again.")
    }
}
