import AuthEngine
import Foundation

/// The reason for a failure and the next step.
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
