import Foundation
import OAuthCore

/// Messages between parties, as drawn and exported. All texts are on one line, without control characters.
package struct SequenceDiagram: Sendable, Equatable {
    /// Lifelines, from left to right.
    package enum Party: String, Sendable, Comparable, CaseIterable {
        case application = "Application", browser = "Browser", authority = "Authority", api = "API"
        case cache = "Token cache"

        package var title: String { rawValue }

        /// For narrow columns.
        package var shortTitle: String { self == .application ? "App" : self == .cache ? "Cache" : title }

        package static func < (left: Party, right: Party) -> Bool { left.rank < right.rank }
    }

    package enum Message: Sendable, Equatable { case request, response }

    package enum Outcome: Sendable, Equatable {
        /// A request, or a step of one party.
        case sent
        case responded
        /// An error, or a message without a response.
        case rejected
    }

    package struct Arrow: Sendable, Equatable {
        package var from: Party
        /// The same as ``from`` for a step of one party.
        package var to: Party
        /// A few words, for the picture.
        package private(set) var label: String
        package fileprivate(set) var text: String
        package var outcome: Outcome
        /// Remarks that belong to the picture, such as the text of an error.
        package fileprivate(set) var notes: [String]
        package var exchange: Int?
        package var message: Message
        /// Of the page that the user sees.
        package var page: Int?
        /// In a diagram of several flows.
        package fileprivate(set) var heading: String?
        /// How often the message was sent in a row.
        package fileprivate(set) var count = 1

        package init(
            _ from: Party, _ to: Party, _ label: String, text: String? = nil, outcome: Outcome = .sent,
            notes: [String] = [], exchange: Int? = nil, message: Message = .request, page: Int? = nil
        ) {
            (self.from, self.to, self.outcome) = (from, to, outcome)
            (self.label, self.text) = (label.onOneLine, (text ?? label).onOneLine)
            self.notes = notes.map(\.onOneLine).filter { !$0.isEmpty }
            (self.exchange, self.message, self.page) = (exchange, message, page)
        }

        package var countedLabel: String { count > 1 ? "\(label) (\(count) times)" : label }

        /// The arrow in words, for line mode and screen readers.
        package var sentence: String {
            let parties = from == to ? from.title : "\(from.title) to \(to.title)"
            let repeated = count > 1 ? " (\(count) times)" : ""
            return (["\(parties): \(text)\(repeated)"] + notes).map(\.closed).joined(separator: " ")
        }

        /// As in polling.
        fileprivate func repeats(_ other: Arrow) -> Bool {
            (from, to, label, outcome, notes) == (other.from, other.to, other.label, other.outcome, other.notes)
                && from != to && page == nil && other.page == nil
        }
    }

    package private(set) var title: String
    package private(set) var arrows: [Arrow]

    /// Repeated requests with the same response become one pair of arrows with a count.
    package init(title: String, arrows: [Arrow]) {
        (self.title, self.arrows) = (title.onOneLine, [])
        for arrow in arrows {
            self.arrows.append(arrow)
            mergeRepetition()
        }
    }

    private mutating func mergeRepetition() {
        let count = arrows.count
        guard count >= 4, arrows[count - 1].message == .response, arrows[count - 1].repeats(arrows[count - 3]),
            arrows[count - 2].repeats(arrows[count - 4])
        else { return }
        arrows.removeLast(2)
        arrows[count - 4].count += 1
        arrows[count - 3].count = arrows[count - 4].count
    }

    package init(title: String, joining diagrams: [SequenceDiagram]) {
        self.title = title.onOneLine
        arrows = diagrams.flatMap { diagram in
            diagram.arrows.enumerated().map { index, arrow in
                var arrow = arrow
                // Exchanges and pages are numbered within their flow.
                (arrow.exchange, arrow.page) = (nil, nil)
                if index == 0 { arrow.heading = diagram.title }
                return arrow
            }
        }
    }

    package var parties: [Party] {
        let used = Set(arrows.flatMap { [$0.from, $0.to] })
        return Party.allCases.filter(used.contains)
    }

    package func prefix(_ count: Int) -> SequenceDiagram {
        var shown = self
        shown.arrows = Array(arrows.prefix(count))
        return shown
    }

    package func rejecting(_ index: Int) -> SequenceDiagram {
        var shown = self
        if arrows.indices.contains(index) { shown.arrows[index].outcome = .rejected }
        return shown
    }

    /// The diagram with the program's own steps and the user's pages by their names alone, because the rest can name the account.
    package func shareable(title: String) -> SequenceDiagram {
        var shown = self
        shown.title = title
        for index in arrows.indices where arrows[index].exchange == nil {
            (shown.arrows[index].text, shown.arrows[index].notes) = (arrows[index].label, [])
            shown.arrows[index].page = nil
        }
        return shown
    }

    package var sentences: [String] { arrows.enumerated().map { "\($0 + 1). \($1.sentence)" } }
}

extension String {
    /// The text on one line, without control characters, bidirectional marks and runs of spaces.
    fileprivate var onOneLine: String { split(whereSeparator: \.isWhitespace).joined(separator: " ").withoutControls }

    fileprivate var closed: String { last.map { ".!?…".contains($0) } == true ? self : "\(self)." }
}

extension SequenceDiagram {
    package enum Format: String, Sendable, CaseIterable {
        case mermaid, svg, markdown, html

        package var ending: String {
            switch self {
            case .mermaid: "mmd"
            case .svg: "svg"
            case .markdown: "md"
            case .html: "html"
            }
        }
    }

    package func text(_ format: Format) -> String {
        switch format {
        case .mermaid: mermaid
        case .svg: SequenceSVG(self).text
        case .markdown: markdown
        case .html: HandoutPage(Handout(title: title, story: [], steps: [Handout.Step(self)])).text
        }
    }

    var mermaid: String {
        var lines = ["sequenceDiagram", "    title \(Self.mermaid(title))", "    autonumber"]
        lines += parties.map { "    participant \($0.shortTitle) as \($0.title)" }
        let outermost = [parties.first, parties.last].compactMap { $0?.shortTitle }.joined(separator: ",")
        for arrow in arrows {
            if let heading = arrow.heading { lines.append("    Note over \(outermost): \(Self.mermaid(heading))") }
            let line =
                switch arrow.outcome {
                case .sent: "->>"
                case .responded: "-->>"
                case .rejected: "--x"
                }
            lines.append(
                "    \(arrow.from.shortTitle)\(line)\(arrow.to.shortTitle): \(Self.mermaid(arrow.countedLabel))")
            lines += arrow.notes.map { "    Note over \(arrow.place): \(Self.mermaid($0))" }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var markdown: String {
        let steps = arrows.enumerated().map { "\($0 + 1). \(Self.markdown($1.sentence))" }
        return (["## \(Self.markdown(title))", "", "```mermaid", mermaid + "```", ""] + steps).joined(separator: "\n")
            + "\n"
    }

    /// `#` and the number for each character that Mermaid could interpret. Also breaks the keyword `end`.
    private static func mermaid(_ text: String) -> String {
        let words = text.split(separator: " ").map { word in
            word.lowercased().filter(\.isLetter) == "end"
                ? word.unicodeScalars.map(entity).joined() : escaped(word, entity)
        }
        return words.isEmpty ? "#32;" : words.joined(separator: " ")
    }

    private static func entity(_ scalar: Unicode.Scalar) -> String { "#\(scalar.value);" }

    package static func markdown(_ text: String) -> String {
        text.reduce(into: "") { line, character in
            if "\\`*_{}[]<>#|~&!".contains(character) { line += "\\" }
            line.append(character)
        }
    }

    private static func escaped(_ text: some StringProtocol, _ replacement: (Unicode.Scalar) -> String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            let isPlain =
                !scalar.isASCII || scalar.properties.isAlphabetic
                || "0123456789 .,/()=?'+-_".unicodeScalars.contains(scalar)
            line += isPlain ? String(scalar) : replacement(scalar)
        }
    }
}

extension SequenceDiagram.Arrow {
    fileprivate var place: String {
        from == to ? from.shortTitle : "\(min(from, to).shortTitle),\(max(from, to).shortTitle)"
    }
}
