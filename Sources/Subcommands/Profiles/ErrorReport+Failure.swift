import Console
import Foundation

extension ErrorReport {
    /// A failure of the program's own work on the configuration, in the words that the commands have for it.
    init(failure: any Error, at date: Date) {
        let report = FailureReport(failure)
        let headline =
            switch failure {
            case is ConfigurationError, is LocatedJSON.Malformed: "The configuration file was left as it is."
            case is CommandFailure: "It did not work."
            default: "The profile cannot be used."
            }
        self.init(
            headline: headline, reason: report.description, advice: report.nextStep, kind: .misconfigured,
            domain: report.domain, code: report.code, date: date)
    }
}
