import CResources
import Foundation
import KeyturnCrypto
import MSAL
import OAuthCore

/// A recording to take away, made from a shared flow or a redacted copy. Texts are untrusted: ``HandoutPage`` escapes them.
package struct Handout: Sendable, Equatable {
    package struct Detail: Sendable, Equatable {
        let rows: [Explanation.Row]
        let page: PageVisit?
        let cause: String?

        package init(_ rows: [Explanation.Row] = [], page: PageVisit? = nil, cause: String? = nil) {
            (self.rows, self.page, self.cause) = (rows, page, cause)
        }
    }

    package struct Line: Sendable, Equatable {
        /// Nil if it's neither good nor bad.
        package let isGood: Bool?
        package let text: String

        package init(_ text: String, isGood: Bool? = nil) { (self.text, self.isGood) = (text, isGood) }
    }

    package struct Step: Sendable, Equatable {
        let diagram: SequenceDiagram
        let details: [Detail]
        let outcome: [Line]

        package init(
            _ diagram: SequenceDiagram, outcome: [Line] = [],
            detail: (Int, SequenceDiagram.Arrow) -> Detail = { _, _ in .init() }
        ) {
            (self.diagram, self.outcome) = (diagram, outcome)
            details = diagram.arrows.enumerated().map { detail($0.offset, $0.element) }
        }
    }

    package struct Ending: Sendable, Equatable {
        let heading: String
        let lines: [String]

        package init(_ heading: String, _ lines: [String]) { (self.heading, self.lines) = (heading, lines) }
    }

    package let title: String
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

/// One HTML file that plays, loads nothing and sends nothing: the policy allows only its style sheet and script, by their hashes
/// (CSP level 3 §6.7.3). The script gets no data, so that no text can end it. Without it, as on paper, everything is shown.
struct HandoutPage {
    private static let style = String(decoding: [UInt8](keyturn_resource_handout_style()), as: UTF8.self)
    private static let script = String(decoding: [UInt8](keyturn_resource_handout_script()), as: UTF8.self)

    private let handout: Handout
    /// The number of the step's first part among those that play, from 0 on. The first one is the story.
    private let starts: [Int]

    init(_ handout: Handout) {
        self.handout = handout
        starts = handout.steps.reduce(into: [1]) { starts, step in
            starts.append(starts[starts.count - 1] + step.details.count + (step.outcome.isEmpty ? 0 : 1))
        }
    }

    var text: String {
        let steps = handout.steps.enumerated().map { section($1, number: $0 + 1, first: starts[$0]) }
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="referrer" content="no-referrer">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(shown(handout.title))</title>
            <style>\(HTML(stringLiteral: Self.style))</style>
            </head>
            <body>
            <h1 id="title">\(shown(handout.title))</h1>
            <main>
            \(part(0, labelledBy: "title", content: paragraphs(handout.story)))\
            \(steps)\(ending)</main>
            <nav aria-label="Playback">
            <button type="button" aria-keyshortcuts="ArrowLeft PageUp b">← Back</button>
            <output></output>
            <button type="button" aria-keyshortcuts="ArrowRight PageDown n">Next →</button>
            <button type="button" aria-keyshortcuts="a" aria-pressed="false">Show all</button>
            </nav>
            <script>\(HTML(stringLiteral: Self.script))</script>
            </body>
            </html>

            """
        return page.markup
    }

    private static var policy: String {
        func source(_ text: String) -> String {
            "'sha256-\(Data(SHA2.sha256(Array(text.utf8))).base64EncodedString())'"
        }
        return
            "default-src 'none'; style-src \(source(style)); script-src \(source(script)); base-uri 'none'; form-action 'none'"
    }

    private func part(_ index: Int, labelledBy heading: String, content: [HTML]) -> HTML {
        """
        <article class="part" id="part\(index.description)" aria-labelledby="\(heading)">
        \(content)</article>

        """
    }

    private func section(_ step: Handout.Step, number: Int, first: Int) -> HTML {
        let last = first + step.details.count
        var parts = zip(step.diagram.arrows, step.details).enumerated().map { index, message in
            part(
                first + index, labelledBy: "heading\(first + index)",
                content: [heading(message.0, index + 1, first + index)] + details(message.1))
        }
        let figure: HTML =
            parts.isEmpty ? "" : "<figure>\n\(SequenceSVG(step.diagram).figure(firstPart: first))</figure>\n"
        let shape: HTML = parts.isEmpty ? "" : " class=\"drawn\""
        if !step.outcome.isEmpty {
            let heading: HTML = "<h3 id=\"heading\(last.description)\">Result</h3>\n"
            parts.append(part(last, labelledBy: "heading\(last)", content: [heading] + step.outcome.map(line)))
        }
        let title = (handout.steps.count > 1 ? "\(number). " : "") + shown(step.diagram.title)
        return """
            <section\(shape) aria-labelledby="step\(number.description)">
            <h2 id="step\(number.description)">\(title)</h2>
            \(figure)<div>
            \(parts)</div>
            </section>

            """
    }

    private func heading(_ arrow: SequenceDiagram.Arrow, _ number: Int, _ part: Int) -> HTML {
        let isRejected = arrow.outcome == .rejected
        let look: HTML = isRejected ? " class=\"bad\"" : ""
        let text = "\(number). \(isRejected ? "✗ " : "")\(shown(arrow.sentence))"
        return "<h3 id=\"heading\(part.description)\"\(look)>\(text)</h3>\n"
    }

    private func details(_ detail: Handout.Detail) -> [HTML] {
        let cause: [HTML] = detail.cause.map { ["<p class=\"bad\"><strong>✗ \(shown($0))</strong></p>\n"] } ?? []
        return cause + (detail.page.map { [page($0)] } ?? []) + (detail.rows.isEmpty ? [] : [table(detail.rows)])
    }

    private func table(_ rows: [Explanation.Row]) -> HTML {
        let lines = rows.map { row -> HTML in
            let source: HTML = row.source.map { " <small>(\(shown($0)))</small>" } ?? ""
            return """
                <tr><th scope="row"><code>\(shown(row.name))</code></th><td><code>\(shown(row.value))</code></td>\
                <td>\(shown(row.meaning ?? ""))\(source)</td></tr>

                """
        }
        return """
            <table>
            <thead><tr><th scope="col">Name</th><th scope="col">Value</th><th scope="col">Meaning</th></tr></thead>
            <tbody>
            \(lines)</tbody>
            </table>

            """
    }

    /// The page in words and boxes: a form would ask for the reader's own password.
    private func page(_ visit: PageVisit) -> HTML {
        let fields = visit.fields.map { field -> HTML in
            let value =
                switch field.kind {
                case .text, .password: shown(field.value)
                case .checkbox(let isTicked): isTicked ? "☑ ticked" : "☐ not ticked"
                }
            return "<dt>\(shown(field.label))</dt><dd>\(value)</dd>\n"
        }
        let buttons = visit.buttons.map { label -> HTML in
            label == visit.pressed
                ? "<span class=\"button pressed\">\(shown(label)) (pressed)</span>\n"
                : "<span class=\"button\">\(shown(label))</span>\n"
        }
        let alert: HTML = visit.alert.isEmpty ? "" : "<p class=\"bad\">✗ \(shown(visit.alert))</p>\n"
        let list: HTML = fields.isEmpty ? "" : "<dl>\n\(fields)</dl>\n"
        let row: HTML = buttons.isEmpty ? "" : "<p>\(buttons)</p>\n"
        return """
            <figure class="seen">
            <figcaption>What the user sees</figcaption>
            <p><strong>\(shown(visit.title))</strong></p>
            \(alert)\(paragraphs(visit.text))\(list)\(row)</figure>

            """
    }

    private func paragraphs(_ texts: [String]) -> [HTML] { texts.map { "<p>\(shown($0))</p>\n" } }

    private func line(_ line: Handout.Line) -> HTML {
        switch line.isGood {
        case true?: "<p>✓ \(shown(line.text))</p>\n"
        case false?: "<p class=\"bad\">✗ \(shown(line.text))</p>\n"
        case nil: "<p>\(shown(line.text))</p>\n"
        }
    }

    private var ending: HTML {
        guard let ending = handout.ending, let index = starts.last else { return "" }
        return """
            <section aria-labelledby="ending">
            <h2 id="ending">\(shown(ending.heading))</h2>
            \(part(index, labelledBy: "ending", content: paragraphs(ending.lines)))</section>

            """
    }

    /// Text without control characters and bidirectional marks, which could make it look like another one.
    private func shown(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ").withoutControls
    }
}
