import Console
import Foundation
import TerminalUI

extension StartProblem {
    /// What keeps the program from starting, for its set-up screen.
    init(_ error: any Error) {
        switch error {
        case let error as ConfigurationError where error.kind == .missing:
            // The screen shows where the file is looked for and what it may look like, and mentions the demo.
            self.init(
                title: "There is no configuration yet.",
                reason: "The program does not know whom to sign in, or where.",
                nextStep: "Write the file named below, then start keyturn again.")
        case let error as ConfigurationError:
            self.init(
                title: Self.title(error.kind),
                reason: error.mistakes.map(\.messageWithoutFile).joined(separator: "\n"),
                nextStep: "Correct it, then start again.")
        default:
            let report = FailureReport(error)
            self.init(
                title: "The profile cannot be used.", reason: report.description, nextStep: report.nextStep)
        }
    }

    private static func title(_ kind: ConfigurationError.Kind) -> String {
        switch kind {
        case .unreadable: "The configuration cannot be read."
        case .unsafe: "The configuration cannot be trusted."
        case .missing, .mistaken: "The configuration has a mistake."
        }
    }
}
