import Console
import Foundation
import TerminalUI

extension StartProblem {
    /// The problem for the first screen.
    init(_ error: any Error) {
        switch error {
        case let error as ConfigurationError:
            self.init(
                title: error.headline,
                reason: error.mistakes.map(\.messageWithoutFile).joined(separator: "\n"),
                nextStep: "Fix it, then start again.")
        default:
            let report = FailureReport(error)
            self.init(
                title: "The profile can't be used.", reason: report.description, nextStep: report.nextStep)
        }
    }
}
