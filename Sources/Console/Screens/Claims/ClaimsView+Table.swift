import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The rows of a token under headings (checks, claims, header), or a comparison of two tokens.
extension ClaimsView {
    private static let groupColumn = TableColumn("", minimum: 5, ideal: 5, priority: 2)

    private static func claimColumns(_ title: String, width: Int) -> [TableColumn] {
        [
            TableColumn(title, minimum: 10, ideal: width < 100 ? 18 : 32, priority: 0),
            TableColumn("VALUE", minimum: 22, ideal: 44, priority: 1, grows: true),
        ]
    }

    private static let verdictColumns = [
        TableColumn("CHECK", minimum: 14, ideal: 22, priority: 0),
        TableColumn("OUTCOME", minimum: 9, ideal: 9, priority: 0),
        TableColumn("WHY", minimum: 20, ideal: 60, priority: 1, grows: true),
    ]

    func table(width: Int) -> SelectedLines {
        var lines = SelectedLines(state.pane, width: width, glyphs: context.glyphs)
        var section: Section?
        var group: ClaimGroup?
        for row in state.rows {
            if row.section != section {
                lines.appendHeading(columns(of: row.section, width: width))
                section = row.section
            }
            lines.append(cells(row, isFirst: row.group != group), columns(of: row.section, width: width))
            group = row.group
        }
        return lines
    }

    fileprivate enum Section: Equatable { case verdicts, claims, header, differences }

    /// The columns that claims need to be whole. Checks have their reason in the details.
    var tableWidth: Int {
        let values = state.rows.map { row -> Int in
            switch row {
            case .verdict: 0
            case .claim(let claim), .header(let claim): DisplayWidth.of(value(claim))
            case .difference(let difference):
                [difference.left, difference.right].map { $0.map { DisplayWidth.of(value($0)) } ?? 1 }.reduce(16, +)
            }
        }
        return (values.max() ?? 0) + 32
    }

    private func columns(of section: Section, width: Int) -> [TableColumn] {
        switch section {
        case .verdicts: Self.verdictColumns
        case .claims: [Self.groupColumn] + Self.claimColumns("CLAIM", width: width)
        case .header: Self.claimColumns("HEADER", width: width)
        case .differences: differenceColumns
        }
    }

    private var differenceColumns: [TableColumn] {
        [
            TableColumn("CLAIM", minimum: 8, ideal: 18, priority: 0),
            TableColumn("", minimum: 7, ideal: 7, priority: 0),
            TableColumn(state.tab.title.uppercased(), minimum: 7, ideal: 7, priority: 0, grows: true),
            TableColumn(
                state.comparison?.title.uppercased() ?? "", minimum: 7, ideal: 7, priority: 0, grows: true),
        ]
    }

    /// - Parameter isFirst: whether the row is the first of its group.
    private func cells(_ row: ClaimsRow, isFirst: Bool) -> [Span] {
        switch row {
        case .verdict(let verdict):
            let outcome = verdict.outcome
            return [
                Span(verdict.rule), Span("\(outcome.mark(context.glyphs)) \(outcome.rawValue)", outcome.style),
                Span(verdict.explanation, .muted),
            ]
        case .claim(let claim), .header(let claim):
            let group = row.group.map { Span(isFirst ? $0.rawValue : "", Style(.muted, .bold)) }
            return [group, Span(claim.name, .accent), Span(value(claim))].compactMap(\.self)
        case .difference(let difference): return cells(difference)
        }
    }

    private func cells(_ difference: ClaimsComparison.Difference) -> [Span] {
        let style: Style = difference.kind == .same ? .muted : .text
        return [
            Span(difference.name, .accent),
            Span(difference.kind.word, difference.kind == .same ? .muted : .warning),
            Span(difference.left.map(value) ?? context.glyphs.dash, style),
            Span(difference.right.map(value) ?? context.glyphs.dash, style),
        ]
    }

    private func value(_ claim: MSALTokenClaim) -> String {
        guard let date = claim.date else { return claim.text }
        return [context.now.map { Moment.relative(date, to: $0) }, Moment.utc(date)].compactMap { $0 }
            .joined(separator: ", ")
    }
}

extension ClaimsRow {
    fileprivate var section: ClaimsView.Section {
        switch self {
        case .verdict: .verdicts
        case .claim: .claims
        case .header: .header
        case .difference: .differences
        }
    }
}

extension ClaimsComparison.Difference.Kind {
    /// A word of at most seven columns.
    var word: String {
        switch self {
        case .same: "same"
        case .differs: "differs"
        case .onlyLeft, .onlyRight: "missing"
        }
    }
}
