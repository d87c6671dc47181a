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

/// A redacted copy beside its original, and the name of its file; nil for a text.
package struct ReviewedCopy: Sendable, Equatable {
    package var name: String?
    package var lines: [CopyReview.Line]
    /// What was replaced and, if so, lost.
    package var changes: String
    /// Whether it can be a handout.
    var hasRequests: Bool

    package init(name: String?, copy: Redaction, _ review: CopyReview) {
        self.name = name
        lines = review.lines
        changes = copy.changes
        hasRequests = copy.copied?.diagram != nil
    }
}

extension Redaction {
    /// What was replaced and, if so, lost.
    package var changes: String { receipt.summary + (loss.map { ". \($0.sentence)" } ?? "") }
}
