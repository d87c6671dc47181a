/// Something failed, and what the person was doing.
package struct FailureState: Sendable, Equatable {
    package var report: ErrorReport
    package var attempt: Attempt
    /// What can be inspected of what failed.
    package var flow: EffectID?
    /// The first line that is shown.
    package var top = 0

    package init(_ report: ErrorReport, attempt: Attempt, flow: EffectID? = nil) {
        self.report = report
        self.attempt = attempt
        self.flow = flow
    }
}
