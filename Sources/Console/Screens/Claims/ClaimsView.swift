import Foundation
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
        let (list, rule, details) = context.splitDetails(
            main, rows: wanted, list: tableWidth)
        return (tabs, summary, list, rule, details)
    }

    var rawExtent: Extent {
        let body = context.frame.body
        return state.raw.extent(of: jsonLines(width: body.width), in: areas(in: body).list)
    }

    /// The table on the screen; nil for a raw token.
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

    /// The numbers of checks that need no attention. The others are rows.
    private var checks: StyledLine {
        let passed = state.verdicts.count { $0.outcome == .passed }
        let skipped = state.verdicts.count { $0.outcome == .skipped }
        let done = passed == 0 ? [] : [Span("\(context.glyphs.check) \(passed) passed", .success)]
        let rest = skipped == 0 ? [] : [Span("\(skipped) not needed", .muted)]
        return StyledLine(Array([done, rest].filter { !$0.isEmpty }.joined(separator: [Span(separator, .muted)])))
    }

    /// Scopes and origin, and when the token expires.
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
        guard let acquisition = state.acquisition, state.tab != .pasted else {
            return "pasted, not saved"
        }
        let source = acquisition.isFromCache ? "from the cache" : "from the authority"
        let scopes = acquisition.scopes.joined(separator: " ")
        return joined([source, scopes.isEmpty ? "no scopes" : scopes])
    }

    /// The numbers of same and different claims.
    private var comparison: String? {
        guard let other = state.comparison else { return nil }
        let differences = ClaimsComparison(state.token, state.content(of: other)).differences
        let counts = [ClaimsComparison.Difference.Kind.same, .differs, .onlyLeft, .onlyRight].map { kind in
            (kind, differences.count { $0.kind == kind })
        }
        let words = counts.filter { $0.1 > 0 }.map { kind, count in
            switch kind {
            case .same: "\(count) same"
            case .differs: "\(count) differ"
            case .onlyLeft: "\(count) only in \(state.tab.title)"
            case .onlyRight: "\(count) only in \(other.title)"
            }
        }
        return joined(words)
    }

    private var separator: String { " \(context.glyphs.separator) " }
    private func joined(_ parts: [String]) -> String { parts.joined(separator: separator) }

    func unreadableLines(width: Int) -> [StyledLine] {
        let text =
            switch state.token {
            case .absent: state.verdicts.first?.explanation ?? "The authority returned no \(state.tab.title)."
            case .opaque(let length):
                "Opaque token (\(length) characters): only its resource can read it. Hidden, because anyone who has it "
                    + "can use it."
            case .decoded: "No claims match."
            }
        return StyledLine.wrap(text, to: width)
    }

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
