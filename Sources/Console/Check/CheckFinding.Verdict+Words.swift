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
