import Foundation
import MSAL

/// A recording to take away: the messages of each step with what they carry, what came of it, and a lesson or an answer.
///
/// Its parts are made for readers of a shared flow or a redacted copy. Texts are untrusted: ``HandoutPage`` escapes them.
package struct Handout: Sendable, Equatable {
    /// What belongs to an arrow.
    package struct Detail: Sendable, Equatable {
        let rows: [Explanation.Row]
        /// The page that the user sees.
        let page: PageVisit?
        /// Why this message is where it went wrong.
        let cause: String?

        package init(_ rows: [Explanation.Row] = [], page: PageVisit? = nil, cause: String? = nil) {
            (self.rows, self.page, self.cause) = (rows, page, cause)
        }
    }

    /// A sentence about a result.
    package struct Line: Sendable, Equatable {
        /// Nil if it's neither good nor bad.
        package let isGood: Bool?
        package let text: String

        package init(_ text: String, isGood: Bool? = nil) { (self.text, self.isGood) = (text, isGood) }
    }

    package struct Step: Sendable, Equatable {
        let diagram: SequenceDiagram
        /// One for each arrow.
        let details: [Detail]
        let outcome: [Line]

        package init(
            _ diagram: SequenceDiagram, outcome: [Line] = [],
            detail: (Int, SequenceDiagram.Arrow) -> Detail = { _, _ in .init() }
        ) {
            self.diagram = diagram
            self.outcome = outcome
            details = diagram.arrows.enumerated().map { detail($0.offset, $0.element) }
        }
    }

    /// What follows from the steps.
    package struct Ending: Sendable, Equatable {
        let heading: String
        let lines: [String]

        package init(_ heading: String, _ lines: [String]) { (self.heading, self.lines) = (heading, lines) }
    }

    package let title: String
    /// What it is about, by paragraph.
    let story: [String]
    let steps: [Step]
    let ending: Ending?

    package init(title: String, story: [String], steps: [Step], ending: Ending? = nil) {
        (self.title, self.story, self.steps, self.ending) = (title, story, steps, ending)
    }

    /// All steps in one diagram, or with their details.
    package func text(_ format: SequenceDiagram.Format) -> String {
        switch format {
        case .html: HandoutPage(self).text
        case .mermaid, .svg, .markdown: SequenceDiagram(title: title, joining: steps.map(\.diagram)).text(format)
        }
    }
}
