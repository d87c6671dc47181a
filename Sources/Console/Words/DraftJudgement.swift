import Diagnosis

/// The validation of a draft: a finding per field.
package struct DraftJudgement: Sendable, Equatable {
    package var findings: [ProfileDraft.Field: CheckFinding]

    package init(_ findings: [ProfileDraft.Field: CheckFinding] = [:]) { self.findings = findings }

    /// The finding for a field; nil for an empty optional one.
    package subscript(field: ProfileDraft.Field) -> CheckFinding? { findings[field] }

    /// The first field that makes the draft unusable.
    package var firstObstacle: ProfileDraft.Field? {
        ProfileDraft.Field.allCases.first { field in
            switch findings[field]?.verdict {
            case .failed: true
            case .skipped: ProfileDraft.Field.questions.contains(field)
            case .passed, .warning: false
            case nil: ProfileDraft.Field.questions.contains(field)
            }
        }
    }
}
