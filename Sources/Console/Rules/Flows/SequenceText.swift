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
    private let columns: [Int]

    /// - Parameter parties: nil for those with an arrow. A running flow names its own, so that columns don't move.
    package init(_ diagram: SequenceDiagram, parties: [SequenceDiagram.Party]? = nil, width: Int, glyphs: Glyphs) {
        let parties = parties ?? diagram.parties
        (self.diagram, self.parties, self.glyphs, self.width) = (diagram, parties, glyphs, width)
        layout = SequenceColumns(diagram, parties, width: width)
        columns = parties.isEmpty ? [] : layout.columns
    }

    /// The newest of the first `count` arrows that fit in an area, marked ones with a pointer; in a narrow one in words.
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

    static func width(of arrow: SequenceDiagram.Arrow) -> Int { DisplayWidth.of(label(of: arrow, .ascii)) }

    /// The label. A failed step has no arrowhead to show that.
    private static func label(of arrow: SequenceDiagram.Arrow, _ glyphs: Glyphs) -> String {
        let hasMark = arrow.from == arrow.to && arrow.outcome == .rejected
        return (hasMark ? "\(glyphs.cross) " : "") + Printable.sanitize(arrow.countedLabel)
    }

    package var heading: StyledLine {
        var line = Line()
        for (party, column) in zip(parties, columns) {
            let name = layout.isNarrow ? party.shortTitle : party.title
            line.pad(to: column - name.count / 2)
            line.append(TextFitting.truncate(name, to: max(0, width - line.width)), Style(.muted, .bold))
        }
        return line.styled
    }

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

    private func draw(
        _ arrow: SequenceDiagram.Arrow, _ label: String, isToRight: Bool, room: Int, _ style: Style, on line: inout Line
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

/// The columns of a diagram's lifelines. Gaps are as equal as possible, but no label is cut that has room in its line.
struct SequenceColumns: Equatable {
    private static let widestGap = 28
    private static let minimumGap = 8
    /// The columns of an arrow without its label.
    static let decoration = 5

    /// An arrow between two lifelines, by their indices, with the width of its label.
    private struct Label: Equatable {
        var lanes: ClosedRange<Int>
        var width: Int
    }

    enum Place: Equatable {
        case inside
        /// Beyond the arrow's right or left end, across the lanes there.
        case after, before
    }

    private(set) var isNarrow: Bool
    private var width, start, room: Int
    private var gaps: [Int]

    init(_ diagram: SequenceDiagram, _ parties: [SequenceDiagram.Party], width: Int) {
        let labels = diagram.arrows.compactMap { arrow -> Label? in
            guard let from = parties.firstIndex(of: arrow.from), let to = parties.firstIndex(of: arrow.to) else {
                return nil
            }
            return Label(lanes: min(from, to)...max(from, to), width: SequenceText.width(of: arrow))
        }
        let full = SequenceColumns(parties, isNarrow: false, width, labels)
        let isClear = full.room >= 14 * (parties.count - 1) && full.missing(labels) == 0
        self = isClear ? full : SequenceColumns(parties, isNarrow: true, width, labels)
    }

    private init(_ parties: [SequenceDiagram.Party], isNarrow: Bool, _ width: Int, _ labels: [Label]) {
        let names = parties.map { (isNarrow ? $0.shortTitle : $0.title).count }
        let start = (names.first ?? 0) / 2 + 1
        let room = width - start - ((names.last ?? 0) + 1) / 2 - 1
        let least = zip(names, names.dropFirst()).map { max(Self.minimumGap, ($0 + 1) / 2 + $1 / 2 + 1) }
        gaps = least.reduce(0, +) <= room ? least : least.map { _ in max(1, room / least.count) }
        (self.isNarrow, self.width, self.start, self.room) = (isNarrow, width, start, room)
        // A label before its arrow needs a wide diagram, the others need narrow gaps.
        var equal = self
        equal.level([])
        grow(for: labels)
        level(labels)
        if equal.missing(labels) < missing(labels) { self = equal }
    }

    var columns: [Int] { gaps.reduce(into: [start]) { $0.append(($0.last ?? 0) + $1) } }

    private var free: Int { max(0, room - gaps.reduce(0, +)) }

    /// Makes gaps as wide as their labels, the shortest labels first.
    private mutating func grow(for labels: [Label]) {
        for label in labels.sorted(by: { ($0.lanes.count, $0.width) < ($1.lanes.count, $1.width) }) {
            let range = label.lanes.lowerBound..<label.lanes.upperBound
            let more = label.width + Self.decoration - gaps[range].reduce(0, +)
            guard !range.isEmpty, more > 0, more <= free else { continue }
            widen(labels) { layout in
                for _ in 0..<more {
                    guard let least = range.min(by: { layout.gaps[$0] < layout.gaps[$1] }) else { break }
                    layout.gaps[least] += 1
                }
            }
        }
    }

    private mutating func level(_ labels: [Label]) {
        while free > 0 {
            let order = gaps.indices.filter { gaps[$0] < Self.widestGap }.sorted { gaps[$0] < gaps[$1] }
            guard order.contains(where: { index in widen(labels) { $0.gaps[index] += 1 } }) else { return }
        }
    }

    /// Widens gaps unless a label would lose room that it needs.
    @discardableResult
    private mutating func widen(_ labels: [Label], _ change: (inout SequenceColumns) -> Void) -> Bool {
        var wider = self
        change(&wider)
        guard wider.missing(labels) <= missing(labels) else { return false }
        self = wider
        return true
    }

    /// The place of a label with most room for it, and that room. Inside its arrow, if it fits there.
    func place(of label: Int, _ start: Int, _ stop: Int) -> (place: Place, room: Int) {
        let choices: [(place: Place, room: Int)] =
            start == stop
            ? [(.after, width - start - 3), (.before, start - 2)]
            : [(.inside, stop - start - Self.decoration), (.after, width - stop - 2), (.before, start - 1)]
        let chosen = choices.first { $0.room >= label } ?? choices.max { $0.room < $1.room }
        return (chosen?.place ?? .inside, max(0, chosen?.room ?? 0))
    }

    private func missing(_ labels: [Label]) -> Int {
        let columns = columns
        return labels.reduce(0) { sum, label in
            let (start, stop) = (columns[label.lanes.lowerBound], columns[label.lanes.upperBound])
            return sum + max(0, label.width - place(of: label.width, start, stop).room)
        }
    }
}
