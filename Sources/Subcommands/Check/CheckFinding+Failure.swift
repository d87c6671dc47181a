import Diagnosis

extension CheckFinding {
    /// What keeps something from being looked at, or from being used.
    init(_ subject: String, failure: any Error) {
        let report = FailureReport(failure)
        self.init(subject, .failed, report.description, fix: report.nextStep.isEmpty ? nil : report.nextStep)
    }
}
