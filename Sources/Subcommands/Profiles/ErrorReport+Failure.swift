import Console
import Foundation

extension ErrorReport {
    /// The report for a failed change of the configuration, with the same texts as in the commands.
    init(failure: any Error, at date: Date) {
        let report = FailureReport(failure)
        let headline =
            switch failure {
            case is ConfigurationError, is InvalidJSON: "Can't use the configuration file."
            case is CommandFailure: "The operation failed."
            default: "The profile can't be used."
            }
        self.init(
            headline: headline, reason: report.description, advice: report.nextStep, kind: .misconfigured,
            domain: report.domain, code: report.code, date: date)
    }
}
