import TerminalUI

/// The account list, with details beside it if they fit, and the profile's hints below.
struct AccountsView {
    private static let widthForDetails = 100
    private static let detailsWidth = 40

    let context: Context
    let top: Int
    let isFiltered: Bool
    let isEditingFilter: Bool
    let isMoved: Bool

    private var state: AccountsState { context.accounts }

    /// Whether details of the selected account are shown beside the list.
    var showsDetails: Bool { context.size.width >= Self.widthForDetails && state.selected != nil }

    private func areas(in body: Rect) -> (filter: Rect, list: Rect, details: Rect, hints: Rect) {
        let (beside, details) = body.splitRight(showsDetails ? Self.detailsWidth : 0)
        let left = beside.splitRight(showsDetails ? 1 : 0).rest
        let (filter, rest) = left.splitTop(isFiltered ? 1 : 0)
        let wanted = hintLines(width: left.width).count
        let (list, hints) = rest.splitBottom(rest.height >= wanted + 6 ? wanted : 0)
        return (filter, list, details, hints)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        drawList(on: &surface, in: areas.list)
        ScrollingText(hintLines(width: areas.hints.width)).draw(on: &surface, in: areas.hints)
        drawDetails(on: &surface, in: areas.details)
        drawFilter(on: &surface, in: areas.filter)
    }

    private func drawList(on surface: inout Surface, in rect: Rect) {
        guard !state.visible.isEmpty else {
            let area = rect.inset(vertical: rect.height > 6 ? 1 : 0)
            ScrollingText.fitting(area, lines: emptyLines).draw(on: &surface, in: area)
            surface.cursor = Surface.Cursor(area.origin, isVisible: false)
            return
        }
        AccountsTable(context: context, top: top, hasDetails: showsDetails).draw(on: &surface, in: rect)
    }

    var shown: ShownList? {
        let list = areas(in: context.frame.body).list
        return state.visible.isEmpty
            ? nil : AccountsTable(context: context, top: top, hasDetails: showsDetails).shown(in: list)
    }

    private func emptyLines(width: Int) -> [StyledLine] {
        func lines(_ title: String, _ text: String, _ style: Style = .title) -> [StyledLine] {
            StyledLine.wrap(title, to: width, style: style) + StyledLine.wrap(text, to: width)
        }
        switch state.phase {
        case .unread, .reading:
            return [StyledLine("Reading the accounts from the cache\(context.glyphs.ellipsis)", .muted)]
        case .failed(let report):
            return lines("\(context.glyphs.cross) Can't read the accounts.", report.reason, .danger)
                + StyledLine.wrap(report.screenAdvice, to: width)
                + [.empty, StyledLine([Span(Verb.again.label, .key), Span(" try again")])]
        case .read where !state.all.isEmpty:
            return lines("No account matches \"\(state.filter)\".", "Press Esc to clear the filter.")
        case .read:
            return lines("No accounts yet.", "", Style(.title, .bold)) + methodLines
        }
    }

    /// Sign-in methods for a new user. Enter uses the preferred one.
    private var methodLines: [StyledLine] {
        let others: [(SignInMethod, CommandName)] = [
            (.browser, "signIn"), (.device, "signInWithCode"), (.paste, "signInByPaste"),
        ]
        let proposal = context.proposal
        let keys = others.filter {
            $0.0 != context.preferredMethod && $0.0 != .browser && proposal.obstacle(to: $0.0) == nil
        }
        .map { (key($0.1), "sign in \($0.0.inWords)") }
        let rows =
            [(key("open"), "sign in \(context.preferredMethod.inWords)")] + keys
            + [(key("signInOptions"), "choose method, scopes and tenant")]
            + (context.profile?.scenarios.isEmpty == false
                ? [(key("scenarios"), "watch a scripted user sign in")] : [])
        return rows.map {
            StyledLine([Span(TextFitting.fit($0.0, to: 6), Style(.key, .bold)), Span(" " + $0.1)])
        }
    }

    private func key(_ name: CommandName) -> String {
        AccountsScreen.key(of: name, in: .list, ascii: context.options.ascii)
    }

    private func hintLines(width: Int) -> [StyledLine] {
        guard let profile = context.profile, !profile.hints.isEmpty else { return [] }
        return [.empty] + profile.hints.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
    }

    private func drawDetails(on surface: inout Surface, in rect: Rect) {
        guard !rect.isEmpty, let account = state.selected else { return }
        for y in 0..<rect.height {
            surface.write(surface.glyphs.vertical, at: rect.row(y).origin, style: .border)
        }
        let area = rect.splitLeft(2).rest
        let user: [(String, String?)] = [("Name", account.name), ("Username", account.username)]
        let facts: [(String, String?)] = [
            ("Environment", account.environment),
            ("Authority", account.otherAuthority.map { "\($0), not this profile's" }),
            ("Home tenant", account.tenant),
            ("Token", account.token(at: context.now).map { $0.sentence(by: context.now) }),
            ("Signed in", signedIn(account)),
            ("Sign-in ends", account.signInExpirySentence(by: context.now, in: context.options.timeZone)),
        ]
        let guests =
            account.guestTenants.map { ("Guest in", Optional($0)) }
            + account.agreements.map {
                ("Allowed", Optional("\($0.url.absoluteString), \($0.scopes.joined(separator: " "))"))
            }
        let title = StyledLine("Selected account", Style(.muted, .bold))
        let glyphs = surface.glyphs
        ScrollingText.fitting(area) { width in
            let lines = StyledLine.facts(user + facts + guests, width: width, glyphs: glyphs)
            let below = StyledLine.facts(facts + guests, width: width, glyphs: glyphs)
            let above = lines.prefix(lines.count - below.count)
            // Pads short names, so that the lines below don't move from row to row.
            let room = [StyledLine](repeating: .empty, count: max(0, user.count + 1 - above.count))
            return [title] + above + room + below + [.empty] + keyLines(width: width)
        }
        .draw(on: &surface, in: area)
    }

    private func signedIn(_ account: AccountSummary) -> String? {
        if account.isFromOtherApplication { return "from another app that shares this cache" }
        guard let date = account.signedInOn, let now = context.now else { return nil }
        return Moment.relative(date, to: now)
    }

    /// The commands for the selected account; an unavailable one shows its reason.
    private func keyLines(width: Int) -> [StyledLine] {
        let use: [(CommandName, String)] =
            state.selected?.otherAuthority == nil
            ? [("open", "get a token, show its claims"), ("renew", "refresh the token now")]
            : [("profiles", "switch to its profile")]
        let allowed: [(CommandName, String)] =
            state.selected?.agreements.isEmpty == false ? [("allowed", "list what you allowed, to take it back")] : []
        let keys = use + allowed + [("remove", "sign out")]
        return keys.flatMap { id, text -> [StyledLine] in
            let availability = AccountsScreen().entry(id, context)?.availability
            guard case .unavailable(let reason) = availability else { return [keyLine(id, Span(text))] }
            let lines = StyledLine.wrap("Unavailable: \(reason)", to: max(1, width - 7), style: .muted)
            return [keyLine(id, Span(text, .muted))]
                + lines.map { StyledLine([Span(String(repeating: " ", count: 7))] + $0.spans) }
        }
    }

    private func keyLine(_ id: CommandName, _ text: Span) -> StyledLine {
        StyledLine([Span(TextFitting.fit(key(id), to: 6) + " ", .key), text])
    }

    private func drawFilter(on surface: inout Surface, in rect: Rect) {
        guard !rect.isEmpty else { return }
        let count = " \(state.visible.count) of \(state.all.count)"
        let (left, right) = rect.splitRight(DisplayWidth.of(count))
        let start = surface.writeLine("/", in: left, style: .key)
        let room = left.splitLeft(start - left.minX).rest
        // The end of the text, where the user types, stays visible.
        let text = TextFitting.wrap(state.filter, to: max(1, room.width - 1)).last ?? ""
        let edge = surface.writeLine(text, in: room, style: Style(.text, .underline))
        surface.writeLine(count, in: right, style: .muted)
        if isEditingFilter, !isMoved || state.visible.isEmpty {
            surface.cursor = Surface.Cursor(Point(x: edge, y: rect.minY))
        }
    }
}
