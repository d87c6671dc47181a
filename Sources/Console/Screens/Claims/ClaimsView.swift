import Diagnosis
import Foundation
import JSON
import MSAL
import TerminalUI

/// One token: its checks and claims with their meanings, and beside or below them details of the selected row.
struct ClaimsView: ListView {
    private static let heightForDetails = 9

    @Boxed var state: ClaimsState
    @Boxed var context: Context

    private func areas(in body: Rect) -> (tabs: Rect, summary: Rect, list: Rect, rule: Rect, details: Rect) {
        let (tabs, rest) = body.splitTop(1)
        let (summary, main) = rest.splitTop(body.height >= 14 ? 1 : 0)
        let showsDetails = !state.showsJSON && !state.rows.isEmpty && body.height >= Self.heightForDetails
        let wanted = showsDetails ? max(4, min(state.comparison == nil ? 6 : 8, body.height / 3)) : 0
        let parts = context.splitDetails(main, rows: wanted, list: tableWidth)
        return (tabs, summary, parts.list, parts.rule, parts.details)
    }

    var rawExtent: Extent {
        let body = context.frame.body
        return state.raw.extent(of: jsonLines(width: body.width), in: areas(in: body).list)
    }

    func shown(in body: Rect) -> ShownList? {
        guard !state.showsJSON, !state.rows.isEmpty else { return nil }
        let list = areas(in: body).list
        return table(width: list.width).shown(in: list)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        drawTabs(on: &surface, in: areas.tabs)
        drawSummary(on: &surface, in: areas.summary)
        if state.showsJSON {
            state.raw.draw(jsonLines(width: body.width), on: &surface, in: areas.list)
        } else if state.rows.isEmpty {
            ScrollingText.fitting(areas.list, lines: unreadableLines).draw(on: &surface, in: areas.list)
            surface.cursor = Surface.Cursor(areas.list.origin, isVisible: false)
        } else {
            table(width: areas.list.width).draw(on: &surface, in: areas.list)
            surface.drawRule(in: areas.rule)
            let lines = state.selected(context).map { details($0, width: areas.details.width) } ?? []
            ScrollingText(lines).draw(on: &surface, in: areas.details)
        }
    }

    private var tabs: Tabs {
        let state = state
        return Tabs(state.tabs.map(\.title)) { [state.tab, state.comparison].contains(state.tabs[$0]) }
    }

    func key(at point: Point) -> Key? { tabs.key(at: point, in: areas(in: context.frame.body).tabs) }

    private func drawTabs(on surface: inout Surface, in row: Rect) {
        let room = tabs.draw(on: &surface, in: row)
        surface.writeLine(checks, in: room.splitRight(checks.width).right)
    }

    private var checks: StyledLine {
        let parts = state.quietChecks.map { words, style in
            [Span(style == .success ? "\(context.glyphs.check) \(words)" : words, style)]
        }
        return StyledLine(Array(parts.joined(separator: [Span(separator, .muted)])))
    }

    private func drawSummary(on surface: inout Surface, in row: Rect) {
        guard !row.isEmpty else { return }
        let edge = surface.writeLine(summary, in: row, style: .muted)
        guard let expiry, let now = context.now else { return }
        let room = row.splitLeft(edge - row.minX + 2).rest
        let isOver = expiry <= now
        let state = AccessState.held(until: expiry, canRefresh: false).state(by: now)
        let text = isOver ? "expired \(Moment.relative(expiry, to: now))" : state.word(by: now)
        let shown = DisplayWidth.of(text) <= room.width || !isOver ? text : "expired"
        surface.writeLine(shown, in: room, alignment: .trailing, style: state.style)
    }

    /// The shown token's expiry: the `exp` claim, or for an access token the response's `expires_in`.
    private var expiry: Date? {
        if state.tab == .accessToken { return state.acquisition?.expiresOn }
        guard case .decoded(let token) = state.token else { return nil }
        return token.claims.first { $0.name == "exp" }?.date
    }

    private var summary: String {
        if let comparison { return comparison }
        guard let acquisition = state.acquisition, state.tab != .pasted else { return "pasted, not saved" }
        let scopes = acquisition.scopes.isEmpty ? "no scopes" : acquisition.scopes.joined(separator: " ")
        return joined([acquisition.isFromCache ? "from the cache" : "from the authority", scopes])
    }

    private var comparison: String? {
        guard let other = state.comparison else { return nil }
        let kinds = ClaimsComparison(state.token, state.content(of: other)).differences.map(\.kind)
        let words = ClaimsComparison.Difference.Kind.allCases.filter(kinds.contains).map { kind in
            let word =
                switch kind {
                case .same: "same"
                case .differs: "differ"
                case .onlyLeft: "only in \(state.tab.title)"
                case .onlyRight: "only in \(other.title)"
                }
            return "\(kinds.count { $0 == kind }) \(word)"
        }
        return joined(words)
    }

    private var separator: String { " \(context.glyphs.separator) " }
    private func joined(_ parts: [String]) -> String { parts.joined(separator: separator) }

    private func unreadableLines(width: Int) -> [StyledLine] { StyledLine.wrap(state.unreadableText, to: width) }

    private func jsonLines(width: Int) -> [StyledLine] {
        guard case .decoded(let token) = state.token else { return unreadableLines(width: width) }
        let signature =
            state.isRevealed
            ? token.revealSignature()
            : "\(token.signatureSize) bytes, secret. Press \(Verb.secret.label) to show it."
        let texts = [("Header", token.headerJSON), ("Claims", token.claimsJSON), ("Signature", signature)]
        let parts = texts.map { title, json in
            [StyledLine(title, Style(.title, .bold))] + StyledLine.preformatted(json, width: max(1, width - 2))
        }
        return Array(parts.joined(separator: [StyledLine.empty]))
    }
}

extension ClaimsView {
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
        var (shown, group): ([TableColumn], ClaimGroup?) = ([], nil)
        for row in state.rows {
            let columns = columns(of: row, width: width)
            if columns != shown { lines.appendHeading(columns) }
            lines.append(cells(row, isFirst: row.group != group), columns)
            (shown, group) = (columns, row.group)
        }
        return lines
    }

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

    private func columns(of row: ClaimsRow, width: Int) -> [TableColumn] {
        switch row {
        case .verdict: Self.verdictColumns
        case .claim:
            [TableColumn("", minimum: 5, ideal: 5, priority: 2)] + Self.claimColumns("CLAIM", width: width)
        case .header: Self.claimColumns("HEADER", width: width)
        case .difference: differenceColumns
        }
    }

    private var differenceColumns: [TableColumn] {
        [
            TableColumn("CLAIM", minimum: 8, ideal: 18, priority: 0),
            TableColumn("", minimum: 7, ideal: 7, priority: 0),
            TableColumn(state.tab.title.uppercased(), minimum: 7, ideal: 7, priority: 0, grows: true),
            TableColumn(state.comparison?.title.uppercased() ?? "", minimum: 7, ideal: 7, priority: 0, grows: true),
        ]
    }

    private func cells(_ row: ClaimsRow, isFirst: Bool) -> [Span] {
        switch row {
        case .verdict(let verdict):
            return [
                Span(verdict.rule), Span(outcome(verdict), verdict.outcome.style), Span(verdict.explanation, .muted),
            ]
        case .claim(let claim), .header(let claim):
            let group = row.group.map { Span(isFirst ? $0.rawValue : "", Style(.muted, .bold)) }
            return [group, Span(claim.name, .accent), Span(value(claim))].compactMap(\.self)
        case .difference(let difference): return cells(difference)
        }
    }

    func outcome(_ verdict: MSALIDTokenVerdict) -> String {
        "\(verdict.outcome.mark(context.glyphs)) \(verdict.outcome.rawValue)"
    }

    private func cells(_ difference: ClaimsComparison.Difference) -> [Span] {
        let isSame = difference.kind == .same
        return [Span(difference.name, .accent), Span(difference.kind.word, isSame ? .muted : .warning)]
            + [difference.left, difference.right].map {
                Span($0.map(value) ?? context.glyphs.dash, isSame ? .muted : .text)
            }
    }

    private func value(_ claim: MSALTokenClaim) -> String {
        guard let date = claim.date else { return claim.text }
        return [context.now.map { Moment.relative(date, to: $0) }, Moment.utc(date)].compactMap { $0 }
            .joined(separator: ", ")
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

extension ClaimsView {
    func details(_ row: ClaimsRow, width: Int) -> [StyledLine] {
        switch row {
        case .verdict(let verdict):
            let title = StyledLine([
                Span(verdict.rule, Style(.text, .bold)), Span("  \(outcome(verdict))", verdict.outcome.style),
            ])
            return [title] + StyledLine.wrap(verdict.explanation, to: width - 2)
        case .claim(let claim), .header(let claim):
            return head(claim.name, row.entry, width: width) + value(claim, width: width - 2)
                + meaningsOfValues(claim, width: width - 2)
        case .difference(let difference):
            let sides = [(state.tab, difference.left), (state.comparison ?? state.tab, difference.right)]
            return head(difference.name, row.entry, width: width)
                + sides.flatMap { tab, claim in
                    [StyledLine("\(tab.title):", .muted)]
                        + (claim.map { value($0, width: width - 2) } ?? [StyledLine("no such claim", .muted)])
                }
        }
    }

    private func head(_ name: String, _ entry: ClaimDictionary.Entry?, width: Int) -> [StyledLine] {
        let title = StyledLine([
            Span(Printable.sanitize(name), Style(.accent, .bold)), Span(entry.map { "  \($0.source)" } ?? "", .muted),
        ])
        let meaning = entry?.meaning ?? "Unknown claim: not in OpenID or Microsoft documentation."
        return [title] + StyledLine.wrap(meaning, to: width - 2, style: .muted)
    }

    private func meaningsOfValues(_ claim: MSALTokenClaim, width: Int) -> [StyledLine] {
        let known = claim.words.compactMap { word in
            ClaimDictionary.bundled.meaning(ofValue: word, in: claim.name).map { (name: word, value: Optional($0)) }
        }
        return StyledLine.facts(known, width: width, glyphs: context.glyphs)
    }

    private func value(_ claim: MSALTokenClaim, width: Int) -> [StyledLine] {
        guard let date = claim.date else { return StyledLine.wrap(Printable.sanitize(claim.text), to: width) }
        let relative = context.now.map { Moment.relative(date, to: $0) }
        let local = "\(Moment.local(date, in: context.options.timeZone)) local"
        return StyledLine.wrap(
            [Moment.utc(date), local, relative].compactMap(\.self).joined(separator: ", "), to: width)
    }
}

extension MSALTokenClaim {
    fileprivate var words: [String] {
        (try? JSONValue(parsing: text))?.strings ?? text.split(separator: " ").map(String.init)
    }
}
