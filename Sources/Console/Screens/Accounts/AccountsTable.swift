import TerminalUI

/// The rows of the account list, grouped under headings when the accounts are in several tenants.
struct AccountsTable {
    private enum Column { case chosen, username, mark, token, until, name, signInExpiry, guest, tenant, environment }

    @Boxed var context: Context
    let top: Int
    /// Whether tenant and environment stand beside the list.
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
        case .chosen: TableColumn("", minimum: 1, ideal: 1, priority: 0)
        case .mark: TableColumn("", minimum: 1, ideal: 1, priority: 0)
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

    /// The columns that the username and the name have in a list of this width.
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
        case .guest: Span(guests(account), .muted)
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

    /// A warning in the last day.
    private func signInExpirySpan(_ account: AccountSummary) -> Span {
        guard let end = account.signInExpiry?.date, let now = context.now else { return Span("") }
        let isNear = end.timeIntervalSince(now) < 86_400
        return Span(account.signInExpiryWord(by: context.now), isNear ? .warning : .muted)
    }

    private func guests(_ account: AccountSummary) -> String {
        let tenants = account.guestTenants
        return tenants.count > 1 ? "\(tenants[0]) +\(tenants.count - 1)" : tenants.first ?? ""
    }
}
