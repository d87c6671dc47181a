import Diagnosis

/// The explanation of evidence, and the name of its file; nil for a text.
package struct Explained: Sendable, Equatable {
    package var name: String?
    package var explanation: Explanation

    package init(name: String?, explanation: Explanation) {
        self.name = name
        self.explanation = explanation
    }
}

/// A redacted copy, and the name of its file; nil for a text.
package struct ReviewedCopy: Sendable, Equatable {
    package var name: String?
    package var copy: Redaction

    package init(name: String?, copy: Redaction) {
        self.name = name
        self.copy = copy
    }
}

extension Redaction {
    /// What was replaced and, if so, lost.
    package var changes: String { receipt.summary + (loss.map { ". \($0.sentence)" } ?? "") }
}
