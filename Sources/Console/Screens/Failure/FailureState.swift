/// The error screen: a failure and the attempt that led to it.
package struct FailureState: Sendable, Equatable {
    package var report: ErrorReport
    package var attempt: Attempt
    /// The failed flow, for the inspector.
    package var flow: EffectID?
    /// The scroll offset.
    package var top = 0
}
