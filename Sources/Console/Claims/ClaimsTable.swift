import AuthEngine
import Diagnosis
import Foundation
import TerminalUI

/// The rows of a token under their headings: the verdicts, the claims, the header.
struct ClaimsTable {
    private static let claimColumns = [
        TableColumn("CLAIM", minimum: 10, ideal: 18, priority: 0),
        TableColumn("VALUE", minimum: 22, ideal: 44, priority: 1, grows: true),
        TableColumn("MEANING", minimum: 28, ideal: 56, priority: 2, grows: true),
    ]
    private static let verdictColumns = [
        TableColumn("CHECK", minimum: 14, ideal: 22, priority: 0),
        TableColumn("OUTCOME", minimum: 13, ideal: 13, priority: 0),
        TableColumn("WHY", minimum: 20, ideal: 60, priority: 1, grows: true),
    ]
    private static let margin = 2

    let state: ClaimsState
    let model: Model

    init(_ state: ClaimsState, _ model: Model) {
        self.state = state
        self.model = model
    }

    func draw(on surface: inout Surface, in rect: Rect) {
        let (lines, selected) = lines(width: rect.width - Self.margin)
        let window = ListWindow(count: lines.count, selected: selected, height: rect.height)
        for index in window.rows {
            let row = rect.row(index - window.rows.lowerBound)
            surface.writeLine(lines[index], in: row.splitLeft(Self.margin).rest)
            guard index == selected else { continue }
            surface.write(surface.glyphs.pointer, at: row.origin)
            surface.restyle(row, style: .selection)
            surface.cursor = Surface.Cursor(row.origin, isVisible: false)
        }
    }

    /// All lines, headings included, and which of them is the selected row.
    private func lines(width: Int) -> (lines: [StyledLine], selected: Int) {
        var lines: [StyledLine] = []
        var selected = 0
        var section: Section?
        for (index, row) in state.rows.enumerated() {
            if row.section != section {
                if section != nil { lines.append(.empty) }
                lines.append(heading(row.section, width))
                section = row.section
            }
            if index == state.selection { selected = lines.count }
            lines.append(line(row, width))
        }
        return (lines, selected)
    }

    enum Section: Equatable { case verdicts, claims, header }

    private func heading(_ section: Section, _ width: Int) -> StyledLine {
        let columns = section == .verdicts ? Self.verdictColumns : Self.claimColumns
        let titles = section == .header ? ["HEADER", "VALUE", "MEANING"] : columns.map(\.title)
        return line(titles.map { Span($0, Style(.muted, .bold)) }, columns, width)
    }

    private func line(_ row: ClaimsRow, _ width: Int) -> StyledLine {
        switch row {
        case .verdict(let verdict):
            let outcome = verdict.outcome
            let cells = [
                Span(verdict.rule), Span("\(outcome.mark(model.glyphs)) \(outcome.word)", outcome.style),
                Span(verdict.explanation, .muted),
            ]
            return line(cells, Self.verdictColumns, width)
        case .claim(let claim):
            return line(cells(claim, ClaimDictionary.bundled.entry(forClaim: claim.name)), Self.claimColumns, width)
        case .header(let claim):
            return line(cells(claim, ClaimDictionary.bundled.entry(forHeader: claim.name)), Self.claimColumns, width)
        }
    }

    private func cells(_ claim: MSALTokenClaim, _ entry: ClaimDictionary.Entry?) -> [Span] {
        [Span(claim.name, .accent), Span(value(claim)), Span(entry?.meaning ?? "", .muted)]
    }

    private func value(_ claim: MSALTokenClaim) -> String {
        guard let date = claim.date else { return claim.text }
        return [model.now.map { Moment.relative(date, to: $0) }, Moment.utc(date)].compactMap { $0 }
            .joined(separator: ", ")
    }

    private func line(_ cells: [Span], _ columns: [TableColumn], _ width: Int) -> StyledLine {
        var spans: [Span] = []
        var x = 0
        for placement in TableLayout(columns, width: width).placements {
            spans.append(Span(String(repeating: " ", count: placement.x - x)))
            let cell = cells[placement.column]
            let text = Printable.sanitize(cell.text)
            spans.append(
                Span(TextFitting.fit(text, to: placement.width, ellipsis: model.glyphs.ellipsis), cell.style))
            x = placement.x + placement.width
        }
        return StyledLine(spans)
    }
}

extension ClaimsRow {
    fileprivate var section: ClaimsTable.Section {
        switch self {
        case .verdict: .verdicts
        case .claim: .claims
        case .header: .header
        }
    }
}
