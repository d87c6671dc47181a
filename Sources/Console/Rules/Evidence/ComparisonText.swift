import Diagnosis

/// A comparison in sentences, for the screen, line mode and the command.
package struct ComparisonText: Sendable, Equatable {
    package let comparison: Comparison
    /// The names of the recordings.
    let first, second: String

    package init(_ comparison: Comparison, first: String, second: String) {
        (self.comparison, self.first, self.second) = (comparison, first, second)
    }

    /// The first difference, or that there is none.
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
