import Diagnosis
import TerminalUI

/// A sequence diagram in columns of text: a line of names, and one line for each arrow.
package struct SequenceText {
    /// The smallest useful width. Narrower panes show sentences.
    package static let narrowest = 40
    private static let widestGap = 28

    private let diagram: SequenceDiagram
    private let parties: [SequenceDiagram.Party]
    private let glyphs: Glyphs
    private let width: Int
    /// The columns of the lifelines.
    private let columns: [Int]
    private let isNarrow: Bool

    /// - Parameter parties: the lifelines; nil for those with an arrow. A running flow names its own, so that columns
    ///   don't move.
    package init(_ diagram: SequenceDiagram, parties: [SequenceDiagram.Party]? = nil, width: Int, glyphs: Glyphs) {
        self.diagram = diagram
        let parties = parties ?? diagram.parties
        self.parties = parties
        self.glyphs = glyphs
        self.width = width
        let edge = (parties.first?.shortTitle.count ?? 0) / 2 + 1
        let last = ((parties.last?.shortTitle.count ?? 0) + 1) / 2
        let gap = parties.count < 2 ? 0 : min(Self.widestGap, (width - edge - last - 1) / (parties.count - 1))
        isNarrow = gap < 14
        let start = isNarrow ? edge : max(edge, (parties.first?.title.count ?? 0) / 2 + 1)
        let stop = isNarrow ? last : ((parties.last?.title.count ?? 0) + 1) / 2
        columns = Self.gaps(diagram, parties, narrow: isNarrow, room: width - start - stop - 1)
            .reduce(into: [start]) { $0.append(($0.last ?? 0) + $1) }
    }

    /// The columns between neighbouring lifelines: equal ones, but a gap whose labels don't fit gets the free columns and
    /// those that another gap doesn't need.
    private static func gaps(
        _ diagram: SequenceDiagram, _ parties: [SequenceDiagram.Party], narrow: Bool, room: Int
    ) -> [Int] {
        guard parties.count > 1 else { return [] }
        let names = parties.map { (narrow ? $0.shortTitle : $0.title).count }
        // The names, and the labels between neighbours.
        var needed = zip(names, names.dropFirst()).map { max(minimumGap, ($0 + 1) / 2 + $1 / 2 + 1) }
        for arrow in diagram.arrows {
            guard let from = parties.firstIndex(of: arrow.from), let to = parties.firstIndex(of: arrow.to),
                abs(from - to) == 1
            else { continue }
            let label = DisplayWidth.of(Printable.sanitize(arrow.countedLabel)) + decoration
            needed[min(from, to)] = max(needed[min(from, to)], label)
        }
        var gaps = [Int](repeating: min(widestGap, room / (parties.count - 1)), count: parties.count - 1)
        var free = room - gaps.reduce(0, +)
        while let poor = gaps.indices.first(where: { gaps[$0] < needed[$0] }) {
            if free > 0 {
                free -= 1
            } else if let rich = gaps.indices.max(by: { gaps[$0] - needed[$0] < gaps[$1] - needed[$1] }),
                gaps[rich] > needed[rich]
            {
                gaps[rich] -= 1
            } else {
                break
            }
            gaps[poor] += 1
        }
        return gaps
    }

    /// The columns of an arrow without its label.
    private static let decoration = 5
    private static let minimumGap = 8

    /// The line with the names of the lifelines.
    package var heading: StyledLine {
        var line = Line()
        for (party, column) in zip(parties, columns) {
            let name = isNarrow ? party.shortTitle : party.title
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
        line.draw(columns.filter { $0 < start }, glyphs.vertical)
        line.pad(to: start)
        let label = Printable.sanitize(arrow.countedLabel)
        let style = Self.style(of: arrow.outcome)
        if from == to {
            let room = max(0, width - start - 3)
            line.append("\(glyphs.teeLeft)\(glyphs.horizontal) ", .border)
            let mark = arrow.outcome == .rejected ? "\(glyphs.cross) " : ""
            line.append(TextFitting.truncate(mark + label, to: room, ellipsis: glyphs.ellipsis), style)
        } else {
            let body = arrow.outcome == .sent ? glyphs.horizontal : glyphs.dashed
            let head = arrow.outcome == .rejected ? glyphs.cross : to > from ? glyphs.arrowRight : glyphs.arrowLeft
            let shown = TextFitting.truncate(
                label, to: max(0, stop - start - Self.decoration), ellipsis: glyphs.ellipsis)
            let rest = String(repeating: body, count: max(0, stop - start - Self.decoration - DisplayWidth.of(shown)))
            line.append(to > from ? glyphs.teeLeft : glyphs.vertical, .border)
            line.append(to > from ? "\(body) " : "\(head)\(body) ", style)
            line.append(shown, style)
            line.append(to > from ? " \(rest)\(head)" : " \(rest)", style)
            line.pad(to: stop)
            line.append(to > from ? glyphs.vertical : glyphs.teeRight, .border)
        }
        line.draw(columns.filter { $0 > stop && $0 > line.width }, glyphs.vertical)
        return line.styled
    }

    private func column(_ party: SequenceDiagram.Party) -> Int? { parties.firstIndex(of: party).map { columns[$0] } }

    private static func style(of outcome: SequenceDiagram.Outcome) -> Style {
        switch outcome {
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
