import Console
import Foundation
import MSAL

extension Failure {
    /// A failed change of the configuration, with the same texts as in the commands.
    init(changing error: any Error, at date: Date) {
        let failure = Failure(reporting: error)
        let headline =
            switch error {
            case is ConfigurationError, is InvalidJSON: "Can't use the configuration file."
            case is Failure: "The operation failed."
            default: "The profile can't be used."
            }
        self.init(
            headline: headline, reason: failure.reason, advice: failure.advice, kind: .misconfigured,
            domain: failure.domain, code: failure.code, codeNames: failure.codeNames, date: date)
    }

    /// Why sign-in isn't possible yet, for the first screen.
    init(starting error: any Error) {
        self.init(reporting: error)
        guard let error = error as? ConfigurationError else {
            headline = "The profile can't be used."
            return
        }
        reason = error.mistakes.map(\.messageWithoutFile).joined(separator: "\n")
        advice = "Fix it, then start again."
    }
}
