import Diagnosis

/// A verdict in a word, for users who can't see its mark or colour.
extension CheckFinding.Verdict {
    var word: String {
        switch self {
        case .good: "passed"
        case .attention: "warning"
        case .wrong: "failed"
        case .notChecked: "skipped"
        }
    }
}

extension CheckFinding {
    /// The fact and the fix.
    var sentences: String { [fact, fix].compactMap(\.self).joined(separator: " ") }
}
