import TerminalUI

/// The account list, with details and actions of the selected account beside it or below.
struct AccountsView {
    private static let widthForDetails = 100
    static let detailsWidth = 40
    /// The least height of the body for actions, and for a rule above them.
    private static let heightForActions = (least: 8, roomy: 14)

    @Boxed var context: Context
    let top: Int
    let isFiltered: Bool
    let isEditingFilter: Bool
    let isMoved: Bool

    private var state: AccountsState { context.accounts }

    /// Whether details of the selected account are shown beside the list.
    var showsDetails: Bool { context.size.width >= Self.widthForDetails && state.selected != nil }

    /// Whether the selected account's actions are shown with it, instead of in the status line.
    var showsActions: Bool {
        state.selected != nil && !isEditingFilter && context.frame.body.height >= Self.heightForActions.least
    }

    private var table: AccountsTable { AccountsTable(context: context, top: top, hasDetails: showsDetails) }

    private func areas(in body: Rect) -> (filter: Rect, list: Rect, details: Rect, hints: Rect, actions: Rect) {
        let (beside, details) = body.splitRight(showsDetails ? Self.detailsWidth : 0)
        let left = beside.splitRight(showsDetails ? 1 : 0).rest
        let (filter, below) = left.splitTop(isFiltered ? 1 : 0)
        let (rest, actions) = below.splitBottom(
            showsDetails || !showsActions
                ? 0 : (body.height < Self.heightForActions.roomy ? 0 : 1) + (cutNames(left.width)?.count ?? 0) + 1)
        let wanted = hintLines(width: left.width).count
        let (list, hints) = rest.splitBottom(rest.height >= wanted + 6 ? wanted : 0)
        return (filter, list, details, hints, actions)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let areas = areas(in: body)
        drawList(on: &surface, in: areas.list)
        ScrollingText(hintLines(width: areas.hints.width)).draw(on: &surface, in: areas.hints)
        drawDetails(on: &surface, in: areas.details)
        drawActions(on: &surface, in: areas.actions)
        drawFilter(on: &surface, in: areas.filter)
    }

    private func drawList(on surface: inout Surface, in rect: Rect) {
        guard !state.visible.isEmpty else {
            let area = rect.inset(vertical: rect.height > 6 ? 1 : 0)
            ScrollingText.fitting(area, lines: emptyLines).draw(on: &surface, in: area)
            surface.cursor = Surface.Cursor(area.origin, isVisible: false)
            return
        }
        table.draw(on: &surface, in: rect)
    }

    var shown: ShownList? {
        state.visible.isEmpty ? nil : table.shown(in: areas(in: context.frame.body).list)
    }

    /// The selected account's name and username, as far as its row cuts them; nil if no row of the list does. The number of
    /// lines is the same for each row, so that nothing moves with the selection.
    /// - Parameter room: the columns of these lines, if they aren't below the list.
    private func cutNames(_ width: Int, room: Int? = nil) -> [StyledLine]? {
        let widths = table.nameWidths(in: width)
        guard widths.username < state.usernameWidth || widths.name < state.nameWidth else { return nil }
        let names = [
            (state.selected?.name ?? "", widths.name), (state.selected?.displayName ?? "", widths.username),
        ]
        let text = names.filter { DisplayWidth.of($0.0) > $0.1 }.map(\.0)
            .joined(separator: " \(context.glyphs.separator) ")
        let room = max(1, room ?? width)
        let count = state.usernameWidth + state.nameWidth + 3 > room ? 2 : 1
        let lines = StyledLine.wrap(Printable.sanitize(text), to: room)
        return Array((lines + [StyledLine](repeating: .empty, count: count)).prefix(count))
    }

    private func drawActions(on surface: inout Surface, in rect: Rect) {
        guard !rect.isEmpty else { return }
        if context.frame.body.height >= Self.heightForActions.roomy { surface.drawRule(in: rect.row(0)) }
        let names = cutNames(rect.width) ?? []
        for (row, line) in names.enumerated() {
            surface.writeLine(line, in: rect.row(rect.height - 1 - names.count + row))
        }
        actionLine.draw(on: &surface, in: rect.row(rect.height - 1))
    }

    private var actionLine: StatusLine {
        StatusLine(
            hints: actions.map { StatusLine.Hint(key($0.name), $0.hint ?? "") }, lasting: [])
    }

    /// What can be done with the selected account, most useful first.
    private var actions: [CommandInfo] {
        guard showsActions else { return [] }
        let names: [CommandName] =
            state.selected?.otherAuthority == nil
            ? ["copyToken", "copyAsCommand", "callAPI", "open"] + context.own.commands.map(\.name)
                + ["renew", "remove", "allowed"]
            : ["profiles", "remove"]
        return names.compactMap { AccountsScreen().entry($0, context) }.filter {
            $0.availability == .available
        }
        .map(\.info)
    }

    /// The key of the action at a point.
    func key(at point: Point) -> Key? {
        let areas = areas(in: context.frame.body)
        guard !showsDetails else {
            let (area, lines) = (detailsArea(areas.details), detailLines)
            let line = point.y - area.minY - (ScrollingText.fitting(area, lines: lines).lines.count - actions.count)
            return area.contains(point) ? actions[at: line]?.keys.first : nil
        }
        let line = areas.actions.row(areas.actions.height - 1)
        return actions[at: actionLine.index(at: point, in: line, glyphs: context.glyphs)]?.keys.first
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
        return rows.map { keyLine($0.0, $0.1) }
    }

    private func key(_ name: CommandName) -> String { AccountsScreen().key(of: name, context) }

    private func hintLines(width: Int) -> [StyledLine] {
        guard let profile = context.profile, !profile.hints.isEmpty else { return [] }
        return [.empty] + profile.hints.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
    }

    private func drawDetails(on surface: inout Surface, in rect: Rect) {
        guard !rect.isEmpty else { return }
        for y in 0..<rect.height {
            surface.write(surface.glyphs.vertical, at: rect.row(y).origin, style: .border)
        }
        let area = detailsArea(rect)
        ScrollingText.fitting(area, lines: detailLines).draw(on: &surface, in: area)
    }

    private func detailsArea(_ rect: Rect) -> Rect { rect.splitLeft(2).rest }

    private func detailLines(width: Int) -> [StyledLine] {
        guard let account = state.selected else { return [] }
        let (now, zone) = (context.now, context.options.timeZone)
        let facts: [(String, String?)] = [
            ("Environment", account.environment),
            ("Authority", account.otherAuthority.map { "\($0), not this profile's" }),
            ("Home tenant", account.tenant),
            ("Token", account.token(at: now).map { $0.sentence(by: now, in: zone) }),
            ("Signed in", signedIn(account)),
            ("Sign-in ends", account.signInExpirySentence(by: now, in: zone)),
            (Verb.makeDefault.label, account.identifier == context.defaultAccount ? "the default account" : nil),
        ]
        let guests =
            account.guestTenants.map { ("Guest in", Optional($0)) }
            + account.agreements.map {
                ("Allowed", Optional("\($0.url.absoluteString), \($0.scopes.joined(separator: " "))"))
            }
        let names = cutNames(context.size.width - 2 - Self.detailsWidth - 1, room: width)
        return [StyledLine("Selected account", Style(.muted, .bold))] + (names ?? [])
            + StyledLine.facts(facts + guests, width: width, glyphs: context.glyphs) + [.empty]
            + actions.map { keyLine(key($0.name), $0.hint ?? "") }
    }

    private func signedIn(_ account: AccountSummary) -> String? {
        if account.isFromOtherApplication { return "from another app that shares this cache" }
        guard let date = account.signedInOn, let now = context.now else { return nil }
        return Moment.relative(date, to: now)
    }

    private func keyLine(_ key: String, _ text: String) -> StyledLine {
        StyledLine([Span(TextFitting.fit(key, to: 6) + " ", .key), Span(text)])
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
