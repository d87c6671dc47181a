import Foundation
import MSAL
import TerminalUI

/// One token: its checks and claims with their meanings, and beside or below them details of the selected row.
struct ClaimsView {
    private static let heightForDetails = 9

    let state: ClaimsState
    let context: Context

    private struct Areas {
        var tabs, summary, list, rule, details: Rect
    }

    private func areas(in body: Rect) -> Areas {
        let (tabs, rest) = body.splitTop(1)
        let (summary, main) = rest.splitTop(body.height >= 14 ? 2 : 0)
        let showsDetails = !state.showsJSON && !state.rows.isEmpty && body.height >= Self.heightForDetails
        let wanted = showsDetails ? max(4, min(state.comparison == nil ? 6 : 8, body.height / 3)) : 0
        let (list, rule, details) = main.splitDetails(rows: wanted)
        return Areas(tabs: tabs, summary: summary, list: list, rule: rule, details: details)
    }

    var rawExtent: Extent {
        let body = context.frame.body
        return state.raw.extent(of: jsonLines(width: body.width), in: areas(in: body).list)
    }

    /// The table on the screen; nil for a raw token.
    var shown: ShownList? {
        guard !state.showsJSON, !state.rows.isEmpty else { return nil }
        return ClaimsTable(state: state, context: context).shown(in: areas(in: context.frame.body).list)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        drawTabs(on: &surface, in: areas.tabs)
        surface.writeLine(summary, in: areas.summary.row(0), style: .muted)
        if state.showsJSON {
            state.raw.draw(jsonLines(width: body.width), on: &surface, in: areas.list)
        } else if state.rows.isEmpty {
            ScrollingText.fitting(areas.list, lines: unreadableLines).draw(on: &surface, in: areas.list)
            surface.cursor = Surface.Cursor(areas.list.origin, isVisible: false)
        } else {
            ClaimsTable(state: state, context: context).draw(on: &surface, in: areas.list)
            surface.drawRule(in: areas.rule)
            ClaimDetails(state: state, context: context).draw(on: &surface, in: areas.details)
        }
    }

    private var tabs: Tabs {
        let state = state
        return Tabs(state.tabs.map(\.title)) { [state.tab, state.comparison].contains(state.tabs[$0]) }
    }

    func key(at point: Point) -> Key? { tabs.key(at: point, in: areas(in: context.frame.body).tabs) }

    private func drawTabs(on surface: inout Surface, in row: Rect) {
        let room = tabs.draw(on: &surface, in: row)
        guard let expiry, let now = context.now else { return }
        let isOver = expiry <= now
        let state = TokenState.held(until: expiry, canRefresh: false)
        let text = isOver ? "expired \(Moment.relative(expiry, to: now))" : state.word(by: now)
        let shown = DisplayWidth.of(text) <= room.width ? text : state.word(by: now)
        surface.writeLine(shown, in: room, alignment: .trailing, style: isOver ? .danger : state.style(by: now))
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
            return joined([verdictCount, "pasted, not saved"])
        }
        let source = acquisition.isFromCache ? "token from the cache" : "token from the authority"
        guard state.tab == .accessToken else { return joined([verdictCount, source, acquisition.authority]) }
        return acquisition.scopes.isEmpty
            ? joined(["No scopes", source]) : "Scopes: \(acquisition.scopes.joined(separator: " "))"
    }

    /// The numbers of same and different claims.
    private var comparison: String? {
        guard let other = state.comparison else { return nil }
        let differences = TokenComparison(state.token, state.content(of: other)).differences
        let counts = [TokenComparison.Difference.Kind.same, .differs, .onlyLeft, .onlyRight].map { kind in
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

    private func joined(_ parts: [String]) -> String { parts.joined(separator: " \(context.glyphs.separator) ") }

    private var verdictCount: String {
        let verdicts = state.verdicts
        let counts = [MSALIDTokenVerdict.Outcome.failed, .warning, .passed, .skipped].compactMap { outcome in
            let count = verdicts.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.rawValue)\(outcome == .warning && count > 1 ? "s" : "")"
        }
        return counts.isEmpty ? "No checks" : "Checks: \(counts.joined(separator: ", "))"
    }

    func unreadableLines(width: Int) -> [StyledLine] {
        let text =
            switch state.token {
            case .absent: "The authority returned no \(state.tab.title)."
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
            : "\(token.signatureSize) bytes, secret. Press v to show it."
        let texts = [("Header", token.headerJSON), ("Claims", token.claimsJSON), ("Signature", signature)]
        let parts = texts.map { title, json in
            [StyledLine(title, Style(.title, .bold))] + StyledLine.preformatted(json, width: max(1, width - 2))
        }
        return Array(parts.joined(separator: [StyledLine.empty]))
    }
}
