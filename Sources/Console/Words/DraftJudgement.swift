import Diagnosis

/// What the library's rules make of a draft: a finding for each field, which says what was recognised or what is wrong.
package struct DraftJudgement: Sendable, Equatable {
    package var findings: [ProfileDraft.Field: CheckFinding]

    package init(_ findings: [ProfileDraft.Field: CheckFinding] = [:]) { self.findings = findings }

    /// Nil: nothing to say, as of a field that may stay empty.
    package subscript(field: ProfileDraft.Field) -> CheckFinding? { findings[field] }

    /// The first field that keeps the draft from being of use.
    package var firstObstacle: ProfileDraft.Field? {
        ProfileDraft.Field.allCases.first { field in
            switch findings[field]?.verdict {
            case .wrong: true
            case .notChecked: ProfileDraft.Field.questions.contains(field)
            case .good, .attention: false
            case nil: ProfileDraft.Field.questions.contains(field)
            }
        }
    }
}
