import Foundation

/// The file formats of a diagram.
extension SequenceDiagram {
    package enum Format: String, Sendable, CaseIterable {
        case mermaid, svg, markdown, html

        /// The ending of a file name.
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

    /// Mermaid. Characters with a meaning there become entities.
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

    /// Markdown with the diagram, and each arrow as a sentence.
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

    /// Text without Markdown and HTML.
    package static func markdown(_ text: String) -> String {
        text.reduce(into: "") { line, character in
            if "\\`*_{}[]<>#|~&!".contains(character) { line += "\\" }
            line.append(character)
        }
    }

    /// Replaces each ASCII character other than letters, digits and harmless punctuation.
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
    /// The lifelines that a note covers.
    fileprivate var place: String {
        from == to ? from.shortTitle : "\(min(from, to).shortTitle),\(max(from, to).shortTitle)"
    }
}
