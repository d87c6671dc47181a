import Console
import Foundation
import TerminalUI

extension StartProblem {
    /// What keeps the program from starting, for its set-up screen.
    init(_ error: any Error) {
        switch error {
        case let error as ConfigurationError:
            self.init(
                title: Self.title(of: error.kind),
                reason: error.mistakes.map(\.messageWithoutFile).joined(separator: "\n"),
                nextStep: error.kind == .missing
                    ? "Write it as below, then start again." : "Correct it, then start again.")
        default:
            let report = FailureReport(error)
            self.init(
                title: "The profile cannot be used.", reason: report.description, nextStep: report.nextStep)
        }
    }

    private static func title(of kind: ConfigurationError.Kind) -> String {
        switch kind {
        case .missing: "There is no configuration yet."
        case .unreadable: "The configuration cannot be read."
        case .mistaken: "The configuration has a mistake."
        }
    }
}
