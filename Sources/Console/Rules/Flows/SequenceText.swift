import Diagnosis
import TerminalUI

extension SequenceDiagram.Arrow {
    /// Whether it's an error that isn't one: the client is to ask again (RFC 8628 §3.5).
    var isPending: Bool { ["authorization_pending", "slow_down"].contains(where: label.contains) }
}

/// A sequence diagram in columns of text: a line of names, and one line for each arrow.
package struct SequenceText {
    /// The smallest useful width. Narrower panes show sentences.
    package static let narrowest = 40

    private let diagram: SequenceDiagram
    private let parties: [SequenceDiagram.Party]
    private let glyphs: Glyphs
    private let width: Int
    private let layout: SequenceColumns
    /// The columns of the lifelines.
    private let columns: [Int]

    /// - Parameter parties: the lifelines; nil for those with an arrow. A running flow names its own, so that columns
    ///   don't move.
    package init(_ diagram: SequenceDiagram, parties: [SequenceDiagram.Party]? = nil, width: Int, glyphs: Glyphs) {
        self.diagram = diagram
        let parties = parties ?? diagram.parties
        self.parties = parties
        self.glyphs = glyphs
        self.width = width
        layout = SequenceColumns(diagram, parties, width: width)
        columns = parties.isEmpty ? [] : layout.columns
    }

    /// The newest of the first `count` arrows that fit in an area, with a pointer before those that are marked; in a narrow
    /// one in words.
    static func lines(
        of diagram: SequenceDiagram, first count: Int = .max, in area: Rect, glyphs: Glyphs, isMarked: (Int) -> Bool
    ) -> [StyledLine] {
        let room = max(1, area.width - 2)
        guard room >= narrowest else {
            let sentences = diagram.prefix(count).sentences
            return Array(sentences.flatMap { StyledLine.wrap(Printable.sanitize($0), to: room) }.suffix(area.height))
        }
        let picture = SequenceText(diagram, width: room, glyphs: glyphs)
        let lines = picture.lines.prefix(count).enumerated().map { index, line in
            StyledLine([Span(isMarked(index) ? "\(glyphs.pointer) " : "  ", .accent)] + line.spans)
        }
        return [picture.heading.indented] + lines.suffix(max(0, area.height - 1))
    }

    /// The columns that the arrow's label needs.
    static func width(of arrow: SequenceDiagram.Arrow) -> Int { DisplayWidth.of(label(of: arrow, .ascii)) }

    /// The label. A failed step has no arrowhead to show that.
    private static func label(of arrow: SequenceDiagram.Arrow, _ glyphs: Glyphs) -> String {
        let hasMark = arrow.from == arrow.to && arrow.outcome == .rejected
        return (hasMark ? "\(glyphs.cross) " : "") + Printable.sanitize(arrow.countedLabel)
    }

    /// The line with the names of the lifelines.
    package var heading: StyledLine {
        var line = Line()
        for (party, column) in zip(parties, columns) {
            let name = layout.isNarrow ? party.shortTitle : party.title
            line.pad(to: column - name.count / 2)
            line.append(TextFitting.truncate(name, to: max(0, width - line.width)), Style(.muted, .bold))
        }
        return line.styled
    }

    /// One line for each arrow.
    package var lines: [StyledLine] { diagram.arrows.map(line) }

    private func line(of arrow: SequenceDiagram.Arrow) -> StyledLine {
        guard let from = column(arrow.from), let to = column(arrow.to) else { return .empty }
        var line = Line()
        let (start, stop) = (min(from, to), max(from, to))
        let style = Self.style(of: arrow)
        let (place, room) = layout.place(of: Self.width(of: arrow), start, stop)
        let label = TextFitting.truncate(Self.label(of: arrow, glyphs), to: room, ellipsis: glyphs.ellipsis)
        let before = from == to ? 2 : 1
        let textStart = place == .before ? start - before - DisplayWidth.of(label) : start
        line.draw(columns.filter { $0 < textStart }, glyphs.vertical)
        line.pad(to: textStart)
        // Beside the arrow, which has the colour and its mark.
        if place == .before { line.append("\(label) ", from == to ? style : .text) }
        if from == to {
            let isBefore = place == .before
            let (tee, body) = (isBefore ? glyphs.teeRight : glyphs.teeLeft, glyphs.horizontal)
            line.append(isBefore ? body + tee : tee + body, .border)
        } else {
            draw(arrow, place == .inside ? label : "", isToRight: to > from, room: stop - start, style, on: &line)
        }
        if place == .after { line.append(" \(label)", from == to ? style : .text) }
        line.draw(columns.filter { $0 > stop && $0 > line.width }, glyphs.vertical)
        return line.styled
    }

    /// The arrow between its lifelines, with its label if that fits.
    private func draw(
        _ arrow: SequenceDiagram.Arrow, _ label: String, isToRight: Bool, room: Int, _ style: Style,
        on line: inout Line
    ) {
        let body = arrow.outcome == .sent ? glyphs.horizontal : glyphs.dashed
        let head = arrow.outcome == .rejected ? glyphs.cross : isToRight ? glyphs.arrowRight : glyphs.arrowLeft
        let text = label.isEmpty ? body : " \(label) "
        let rest = String(repeating: body, count: max(0, room - 3 - DisplayWidth.of(text)))
        line.append(isToRight ? glyphs.teeLeft : glyphs.vertical, .border)
        line.append(isToRight ? "\(body)\(text)\(rest)\(head)" : "\(head)\(body)\(text)\(rest)", style)
        line.append(isToRight ? glyphs.vertical : glyphs.teeRight, .border)
    }

    private func column(_ party: SequenceDiagram.Party) -> Int? { parties.firstIndex(of: party).map { columns[$0] } }

    private static func style(of arrow: SequenceDiagram.Arrow) -> Style {
        if arrow.isPending { return .warning }
        return switch arrow.outcome {
        case .sent: .text
        case .responded: .success
        case .rejected: .danger
        }
    }

    private struct Line {
        private(set) var styled = StyledLine.empty
        private(set) var width = 0

        mutating func append(_ text: String, _ style: Style) {
            styled.spans.append(Span(text, style))
            width += DisplayWidth.of(text)
        }

        mutating func pad(to column: Int) {
            if column > width { append(String(repeating: " ", count: column - width), .text) }
        }

        mutating func draw(_ columns: [Int], _ glyph: String) {
            for column in columns {
                pad(to: column)
                append(glyph, .border)
            }
        }
    }
}
