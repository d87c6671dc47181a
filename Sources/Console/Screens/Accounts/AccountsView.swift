import TerminalUI

struct AccountsView {
    private static let widthForDetails = 100
    static let detailsWidth = 40
    /// The least height of the body for actions, and for a rule above them.
    private static let heightForActions = (least: 8, roomy: 14)

    let screen: AccountsScreen
    @Boxed var context: Context

    private var state: AccountsState { context.accounts }

    private var showsDetails: Bool { context.size.width >= Self.widthForDetails && state.selected != nil }

    /// Whether the selected account's actions are shown with it, instead of in the status line.
    var showsActions: Bool {
        state.selected != nil && !screen.isEditingFilter && context.frame.body.height >= Self.heightForActions.least
    }

    private var table: AccountsTable { AccountsTable(context: context, top: screen.top, hasDetails: showsDetails) }

    private func areas(in body: Rect) -> (filter: Rect, list: Rect, details: Rect, hints: Rect, actions: Rect) {
        let (beside, details) = body.splitRight(showsDetails ? Self.detailsWidth : 0)
        let left = beside.splitRight(showsDetails ? 1 : 0).rest
        let (filter, below) = left.splitTop(screen.isFiltered(context) ? 1 : 0)
        let (rest, actions) = below.splitBottom(
            showsDetails || !showsActions
                ? 0 : (body.height < Self.heightForActions.roomy ? 0 : 1) + cutNames(left.width).count + 1)
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

    /// The selected account's name and username, as far as its row cuts them. The number of lines is the same for each row, so
    /// that nothing moves with the selection.
    /// - Parameter room: the columns of these lines, if they aren't below the list.
    private func cutNames(_ width: Int, room: Int? = nil) -> [StyledLine] {
        let widths = table.nameWidths(in: width)
        guard widths.username < state.usernameWidth || widths.name < state.nameWidth else { return [] }
        let names = [(state.selected?.name ?? "", widths.name), (state.selected?.displayName ?? "", widths.username)]
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
        let names = cutNames(rect.width)
        for (row, line) in names.enumerated() {
            surface.writeLine(line, in: rect.row(rect.height - 1 - names.count + row))
        }
        actionLine.draw(on: &surface, in: rect.row(rect.height - 1))
    }

    private var actionLine: StatusLine {
        StatusLine(hints: actions.map { StatusLine.Hint(key($0.name), $0.hint ?? "") }, lasting: [])
    }

    private var actions: [CommandInfo] {
        guard showsActions else { return [] }
        let names: [CommandName] =
            state.selected?.otherAuthority == nil
            ? ["copyToken", "copyAsCommand", "callAPI", "open"] + context.own.commands.map(\.name)
                + ["renew", "remove", "allowed"]
            : ["profiles", "remove"]
        return names.compactMap { AccountsScreen().entry($0, context) }
            .filter { $0.availability == .available }.map(\.info)
    }

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
        let others: [(SignInMethod, CommandName)] = [(.device, "signInWithCode"), (.paste, "signInByPaste")]
        let usable = others.filter { $0.0 != context.preferredMethod && context.proposal.obstacle(to: $0.0) == nil }
        let hasScenarios = context.profile?.scenarios.isEmpty == false
        return [keyLine(key("open"), "sign in \(context.preferredMethod.inWords)")]
            + usable.map { keyLine(key($0.1), "sign in \($0.0.inWords)") }
            + [keyLine(key("signInOptions"), "choose method, scopes and tenant")]
            + (hasScenarios ? [keyLine(key("scenarios"), "watch a scripted user sign in")] : [])
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
            ("Home tenant", account.tenant), ("Token", account.token(at: now).map { $0.sentence(by: now, in: zone) }),
            ("Signed in", signedIn(account)), ("Sign-in ends", account.signInExpirySentence(by: now, in: zone)),
            (Verb.makeDefault.label, account.identifier == context.defaultAccount ? "the default account" : nil),
        ]
        let guests =
            account.guestTenants.map { ("Guest in", Optional($0)) }
            + account.agreements.map {
                ("Allowed", Optional("\($0.url.absoluteString), \($0.scopes.joined(separator: " "))"))
            }
        let names = cutNames(context.size.width - 2 - Self.detailsWidth - 1, room: width)
        return [StyledLine("Selected account", Style(.muted, .bold))] + names
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
        if screen.isEditingFilter, !screen.isMoved || state.visible.isEmpty {
            surface.cursor = Surface.Cursor(Point(x: edge, y: rect.minY))
        }
    }
}

struct AccountsTable {
    private enum Column { case chosen, username, mark, token, until, name, signInExpiry, guest, tenant, environment }

    @Boxed var context: Context
    let top: Int
    let hasDetails: Bool

    private var state: AccountsState { context.accounts }
    private var width: Int { context.size.width - (hasDetails ? AccountsView.detailsWidth + 1 : 0) - 2 }

    /// Omits columns that the headings or the details repeat, or that no account fills.
    private var columns: [Column] {
        let places: [Column] = state.headings.count > 0 || hasDetails ? [] : [.tenant, .environment]
        let hasDefault = state.all.contains { $0.identifier == context.defaultAccount }
        return (state.marked.isEmpty ? [] : [.chosen]) + [.username] + (hasDefault ? [.mark] : [])
            + (state.knowsTokens ? [.token, .until] : [])
            + (state.nameWidth > 0 ? [.name] : []) + (state.hasSignInExpiry ? [.signInExpiry] : [])
            + (state.hasGuests ? [.guest] : []) + places
    }

    private func layout(_ column: Column) -> TableColumn {
        switch column {
        case .username:
            // As wide as the usernames, if the token's state still has room.
            TableColumn(
                title("USERNAME", .username), minimum: max(18, min(state.usernameWidth, width / 2 - 10)),
                ideal: max(22, state.usernameWidth), priority: 0)
        case .chosen, .mark: TableColumn("", minimum: 1, ideal: 1, priority: 0)
        case .token: TableColumn(title("TOKEN", .expiry), minimum: 16, ideal: 19, priority: 0)
        case .until: TableColumn("UNTIL", minimum: 5, ideal: 5, priority: 1)
        case .name: TableColumn(title("NAME", .name), minimum: 14, ideal: max(14, state.nameWidth), priority: 2)
        case .signInExpiry: TableColumn("SIGN-IN ENDS", minimum: 14, ideal: 14, priority: 3)
        case .guest: TableColumn("GUEST IN", minimum: 12, ideal: 20, priority: 3)
        case .tenant: TableColumn("TENANT", minimum: 14, ideal: 36, priority: 4)
        case .environment: TableColumn("ENVIRONMENT", minimum: 14, ideal: 26, priority: 5)
        }
    }

    private func title(_ text: String, _ order: AccountOrder) -> String {
        state.order == order ? "\(text) \(context.glyphs.arrowDown)" : text
    }

    func nameWidths(in width: Int) -> (username: Int, name: Int) {
        let columns = columns
        let placed = TableLayout(columns.map(layout), width: width - Table.margin).placements
        func placedWidth(_ column: Column) -> Int { placed.first { columns[$0.column] == column }?.width ?? 0 }
        return (placedWidth(.username), placedWidth(.name))
    }

    private var table: Table {
        let columns = columns
        let selected = state.headings.line(ofRow: state.selection)
        // A heading stays visible with the row below it.
        let hasHeading = selected > 0 && state.headings.content(ofLine: selected - 1).heading != nil
        return Table(
            columns: columns.map(layout), count: state.visible.count + state.headings.count,
            selected: selected, previousOffset: min(top, hasHeading ? selected - 1 : selected),
            heading: { line in
                state.headings.content(ofLine: line).heading.map { Span($0, Style(.muted, .bold)) }
            },
            row: { line in
                let account = state.all[state.visible[state.headings.content(ofLine: line).row]]
                return columns.map { span($0, account) }
            })
    }

    func draw(on surface: inout Surface, in rect: Rect) { table.draw(on: &surface, in: rect) }

    func shown(in rect: Rect) -> ShownList {
        ShownList(table, in: rect) { line in
            let content = state.headings.content(ofLine: line)
            return content.heading == nil ? content.row : nil
        }
    }

    private func span(_ column: Column, _ account: AccountSummary) -> Span {
        switch column {
        case .name: Span(account.name ?? "")
        case .chosen: Span(state.marked.contains(account.identifier) ? context.glyphs.check : "", .accent)
        case .username: Span(account.displayName)
        case .mark: Span(account.identifier == context.defaultAccount ? Verb.makeDefault.label : "", .accent)
        case .token: tokenSpan(account)
        case .until: untilSpan(account)
        case .signInExpiry: signInExpirySpan(account)
        case .guest: Span(guests(account.guestTenants), .muted)
        case .tenant: Span(account.tenant ?? "", .muted)
        case .environment: Span(account.otherAuthority ?? account.environment, .muted)
        }
    }

    private func tokenSpan(_ account: AccountSummary) -> Span {
        if account.otherAuthority != nil { return Span("other authority", .muted) }
        if account.isFromOtherApplication { return Span("from another app", .muted) }
        guard let state = account.state(at: context.now) else { return Span("") }
        return Span("\(state.sign(context.glyphs)) \(state.cell(by: context.now))", state.style)
    }

    /// A clock time, which is unambiguous within a day.
    private func untilSpan(_ account: AccountSummary) -> Span {
        guard let now = context.now, let state = account.state(at: now), let expiry = state.expiry,
            expiry.timeIntervalSince(now) < 86_400
        else { return Span("") }
        return Span(String(Moment.clock(expiry, in: context.options.timeZone, from: now).suffix(5)), state.style)
    }

    private func signInExpirySpan(_ account: AccountSummary) -> Span {
        guard let end = account.signInExpiry?.date, let now = context.now else { return Span("") }
        let isNear = end.timeIntervalSince(now) < 86_400
        return Span(account.signInExpiryWord(by: context.now), isNear ? .warning : .muted)
    }

    private func guests(_ tenants: [String]) -> String {
        tenants.count > 1 ? "\(tenants[0]) +\(tenants.count - 1)" : tenants.first ?? ""
    }
}
