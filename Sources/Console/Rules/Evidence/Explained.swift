import Diagnosis

/// The explanation of evidence, and the name of its file; nil for a text.
package struct Explained: Sendable, Equatable {
    package var name: String?
    package var explanation: Explanation

    package init(name: String?, explanation: Explanation) { (self.name, self.explanation) = (name, explanation) }
}

/// A redacted copy beside its original, and the name of its file; nil for a text.
package struct ReviewedCopy: Sendable, Equatable {
    package var name: String?
    package var lines: [CopyReview.Line]
    package var changes: String
    /// Whether it can be a handout.
    var hasRequests: Bool

    package init(name: String?, copy: Redaction, _ review: CopyReview) {
        (self.name, lines, changes) = (name, review.lines, copy.changes)
        hasRequests = copy.copied?.diagram != nil
    }
}

extension Redaction {
    package var changes: String { receipt.summary + (loss.map { ". \($0.sentence)" } ?? "") }
}

/// A comparison in sentences, for the screen, line mode and the command.
package struct ComparisonText: Sendable, Equatable {
    package let comparison: Comparison
    let first, second: String

    package init(_ comparison: Comparison, first: String, second: String) {
        (self.comparison, self.first, self.second) = (comparison, first, second)
    }

    package var verdict: String { comparison.verdict(first, second) }

    /// Those of the step that differs.
    var differences: [Comparison.Difference] { comparison.steps.last?.differences ?? [] }

    package var lines: [String] {
        let steps = comparison.steps.enumerated().map { index, step in
            let differs = comparison.isDifferent && index == comparison.steps.count - 1
            return "  \(differs ? "differs" : "same")  \(step.title): \(step.first ?? "–") | \(step.second ?? "–")"
        }
        let differing = differences.flatMap { difference in
            ["\(difference.name)", "  \(first): \(difference.first)", "  \(second): \(difference.second)"]
        }
        return [verdict] + differing + ["Steps of \(first) | \(second)"] + steps
    }
}
