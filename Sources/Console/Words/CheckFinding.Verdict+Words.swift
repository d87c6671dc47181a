import Diagnosis

/// A verdict in a word, for those whom its mark and its colour tell nothing.
extension CheckFinding.Verdict {
    var word: String {
        switch self {
        case .good: "good"
        case .attention: "attention"
        case .wrong: "wrong"
        case .notChecked: "not checked"
        }
    }
}

extension CheckFinding {
    /// The fact, and what puts it right.
    var sentences: String { [fact, fix].compactMap(\.self).joined(separator: " ") }
}
