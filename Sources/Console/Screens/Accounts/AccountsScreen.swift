import Foundation
import TerminalUI

/// The account list, the program's first screen. The accounts themselves are in ``Context``.
struct AccountsScreen: MovingScreen, TypingScreen, PromptingScreen, InspectableScreen, TabbedScreen {
    static var howToOpen: String { "Leave this screen with Esc or q." }
    enum Layer: String, KeyLayer { case list = "Accounts", filter = "Filter" }

    var isEditingFilter = false { didSet { isMoved = false } }
    /// Whether the selection was moved since typing; see ``ListPane/isMoved``.
    private(set) var isMoved = false
    var top = 0

    var layer: Layer { isEditingFilter ? .filter : .list }

    func isFiltered(_ context: Context) -> Bool { isEditingFilter || !context.accounts.filter.isEmpty }

    func view(_ context: Context) -> AccountsView { AccountsView(screen: self, context: context) }

    func pace(_ context: Context) -> Pace { context.accounts.counts(at: context.now) ? .everyMinute : .still }

    func title(_ context: Context) -> String { Layer.list.rawValue }

    func place(_ context: Context) -> String {
        guard context.accounts.selected != nil, !isEditingFilter else { return "" }
        let count = context.accounts.markedHere.count
        return StatusPlace.text(context.accounts.selection, of: context.accounts.visible.count)
            + (count == 0 ? "" : ", \(count) marked")
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        view(context).draw(on: &surface, in: rect)
    }

    func key(at point: Point, _ context: Context) -> Key? { view(context).key(at: point) }

    func extent(_ context: Context) -> Extent? {
        Extent(
            position: context.accounts.selection, last: context.accounts.visible.count - 1, shown: view(context).shown)
    }

    mutating func go(to position: Int, _ context: inout Context) {
        context.accounts.select(row: position)
        isMoved = isEditingFilter
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard isEditingFilter, let filter = context.accounts.filter.edited(by: key) else { return nil }
        isMoved = false
        context.accounts.setFilter(filter)
        return Reaction.none
    }

    func acceptsPaste(_ context: Context) -> Bool { isEditingFilter }

    func paste(_ text: String, _ context: inout Context) -> Reaction {
        if isEditingFilter { context.accounts.setFilter(context.accounts.filter + Printable.sanitize(text)) }
        return .none
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        if !isEditingFilter, context.accounts.unmarkAll() { return true }
        isEditingFilter = false
        context.accounts.setFilter("")
        return true
    }

    func inspectable(_ context: Context) -> FlowTrace? { context.traces.newest }

    static let commands: [Command] =
        (acting + lists + moving() + finding() + leavingList).only(in: .list) + filtering.only(in: .filter) + [
            interrupt
        ]

    private static let acting: [Command] = [
        Command(
            "open", [.enter], "Show claims, or sign in if no account is listed.", hint: "claims",
            hintNow: { $1.accounts.selected?.needsSignIn(at: $1.now) == true ? "sign in again" : nil },
            hintedIf: { !$1.accounts.all.isEmpty && isHintedBelow($0, $1) }, inLines: .row, if: canOpen
        ) { _, context in .open(context.accounts.selected.map { .silent($0) } ?? .signIn()) },
        Command(
            "copyToken", .verb(.copy), "Copy an access token of the selected account to the clipboard (secret).",
            hint: "copy token", hintedIf: isHintedBelow, inLines: .row, if: canGetToken
        ) { _, context in context.accounts.selected.map { .open(.silent($0, copies: true)) } ?? .none },
        Command("signIn", .verb(.signIn), "Sign in with the default method.", hint: "sign in") { _, _ in
            .open(.signIn())
        },
        Command("signInWithCode", .verb(.deviceCode), "Sign in with a device code.", if: { $1.canUseCode }) {
            _, context in .open(.signIn(nil, context.request(by: .device)))
        },
        Command("signInByPaste", .verb(.paste), "Sign in with any browser, then paste the final URL.") {
            _, context in .open(.signIn(nil, context.request(by: .paste)))
        },
        Command(
            "renew", .verb(.refresh), "Refresh the selected account's token.", hint: "refresh",
            hintedIf: isHintedBelow, inLines: .someRows, if: canRefresh
        ) { _, context in context.accounts.selected.map { .open(.silent($0, isForced: true)) } ?? .none },
        Command(
            "callAPI", .verb(.call), "Call an API with a token of the selected account.",
            hint: "call", hintedIf: isHintedBelow, if: { $1.canCall }
        ) { _, context in .open(.call(context)) },
        check,
        Command(
            "copyAsCommand", .verb(.copyAsCommand), "Copy a curl command that gets a token of the selected account.",
            hint: "curl", hintedIf: isHintedBelow, inLines: .row,
            if: { canGetToken($0, $1) == .available ? $1.canCopyAsCommand : canGetToken($0, $1) }
        ) { _, context in
            context.accounts.selected.map { .start(context.copyAsCommand($0, context.profile?.scopes ?? [])) } ?? .none
        },
        Command(
            "allowed", .verb(.allowed), "List the servers that you allowed tokens of the selected account.",
            hint: "allowed servers", hintedIf: isHintedBelow, inLines: .someRows, if: hasAgreements
        ) { _, context in context.accounts.selected.map { .open(.agreements(of: $0)) } ?? .none },
        Command(
            "remove", .verb(.remove), "Sign out the account here, or also in the browser.", hint: "sign out",
            hintNow: { $1.accounts.markedHere.isEmpty ? nil : "sign out \($1.accounts.markedHere.count)" },
            hintedIf: isHintedBelow, dangerous: true, inLines: .row, if: canRemove
        ) { _, context in .open(.removal(context.accounts.chosen, context)) },
        Command(
            "mark", [" "], "Mark or unmark the account, to sign out several.", inLines: .absent, if: needsSelection
        ) { _, context in
            context.accounts.toggleMark()
            return .none
        },
        Command("filter", .verb(.search), "Filter accounts.", hint: "filter", if: needsAccounts) { screen, context in
            screen.isEditingFilter = true
            context.accounts.setFilter("")
            return .none
        },
    ]

    private static let lists: [Command] = [
        Command(
            "reload", .verb(.again) + [.function(5), .control("r")], "Reload the accounts from the cache.",
            hint: "reload", if: { Availability(!$1.accounts.isReading, else: "Already reading the accounts.") }
        ) { _, context in
            // A reload also retries the broker.
            context.brokerRejection = nil
            return .start(context.readAccounts())
        },
        Command("sort", .verb(.sort), "Sort by tenant, name, username or expiry.", if: needsAccounts) { _, context in
            context.accounts.setOrder(context.accounts.order.next)
            context.notice = Notice(.quiet, "Sorted by \(context.accounts.order.title).")
            return Reaction(effects: context.saveChoices())
        },
        Command(
            "makeDefault", .verb(.makeDefault), "Make the account the default of commands that name none, or not.",
            inLines: .row,
            if: { $1.profile?.isDemo == true ? .unavailable("The demo keeps nothing.") : needsSelection($0, $1) }
        ) { _, context in context.accounts.selected.map { Reaction(effects: context.toggleDefault($0)) } ?? .none },
        pasteToken,
        Command(
            "signInOptions", .verb(.options), "Sign in with options: method, scopes, tenant.", hint: "options"
        ) { _, _ in .open(.signInForm()) },
        profiles(hint: "profiles"),
        Command(
            "doors", .verb(.doors), "List the open doors: running keyturn commands that give programs tokens."
        ) { _, _ in .open(.doors) },
        inspect(goes: true), step, flows { _ in nil }, walkOn(),
        Command(
            "walkBack", .verb(.previousStep), "Return to the scenario.", hint: "back",
            inLines: .whenAvailable, if: { Availability($1.walkBelow != nil, else: "No scenario was started.") }
        ) { _, context in .move(.home(.walk(context.walk?.running))) },
        scenarios(hint: "scenarios"), faults(hint: nil),
    ]

    func ownCommands(_ context: Context) -> [Command] {
        context.own.commands.map { own in
            Command(
                own.name, [own.key], "\(own.title): your command, for the selected account.", hint: own.title,
                hintedIf: Self.isHintedBelow, inLines: .row, if: Self.needsSelection
            ) { _, context in context.accounts.selected.map { .open(.run(own, $0)) } ?? .none }
        }.only(in: .list)
    }

    private static let filtering: [Command] =
        [
            Command(
                "keepFilter", [.enter], "Keep the filter and return to the list.", hint: "keep", inLines: .absent,
                do: changing { $0.isEditingFilter = false })
        ] + upAndDown([.up], [.down]) + [back("Clear the filter.", hint: "clear")]

    private static let leavingList: [Command] = [
        Command(
            "back", [.escape], "Clear the marks, then the filter (doesn't quit).",
            hintedIf: { $0.isFiltered($1) || !$1.accounts.marked.isEmpty }, group: .everywhere, inLines: .whenHinted
        ) { _, _ in .move(.back) },
        close("Quit.", hint: "quit"),
    ]

    /// Whether the status line has the account's actions, because there's no room for them beside the account.
    private static func isHintedBelow(_ screen: AccountsScreen, _ context: Context) -> Bool {
        !screen.view(context).showsActions
    }

    private static func canGetToken(_ screen: AccountsScreen, _ context: Context) -> Availability {
        ofAnotherAuthority(context) ?? needsSelection(screen, context)
    }

    private static func canOpen(_ screen: AccountsScreen, _ context: Context) -> Availability {
        context.accounts.phase == .read && context.accounts.all.isEmpty
            ? .available : canGetToken(screen, context)
    }

    private static func ofAnotherAuthority(_ context: Context) -> Availability? {
        context.accounts.selected?.otherAuthority.map {
            .unavailable("The account signed in at \($0). Choose its profile first.")
        }
    }

    private static func needsSelection(_ screen: AccountsScreen, _ context: Context) -> Availability {
        Availability(
            context.accounts.selected != nil,
            else: context.accounts.all.isEmpty
                ? "No accounts yet; press \(Verb.signIn.label) to sign in." : "No account matches the filter.")
    }

    private static func hasAgreements(_ screen: AccountsScreen, _ context: Context) -> Availability {
        guard let account = context.accounts.selected else { return needsSelection(screen, context) }
        return Availability(!account.agreements.isEmpty, else: "You allowed no server tokens of this account.")
    }

    private static func canRefresh(_ screen: AccountsScreen, _ context: Context) -> Availability {
        ofAnotherAuthority(context) ?? context.accounts.selected.map(context.canRefresh)
            ?? needsSelection(screen, context)
    }

    private static func canRemove(_ screen: AccountsScreen, _ context: Context) -> Availability {
        context.stillRemoving ?? needsSelection(screen, context)
    }

    private static func needsAccounts(_ screen: AccountsScreen, _ context: Context) -> Availability {
        Availability(!context.accounts.all.isEmpty, else: "No accounts yet.")
    }

    /// Without a profile, nothing is ever read.
    func isBusy(_ context: Context) -> Bool {
        context.accounts.removing != nil || context.profile != nil && context.accounts.isBusy
    }

    func lines(_ context: Context) -> [String] {
        guard let profile = context.profile else { return [] }
        let title = "Accounts. Profile \(profile.name), \(profile.authority)."
        let state = context.accounts
        if case .failed(let report) = state.phase {
            return [title, "Can't read the accounts. \(report.reason) \(report.screenAdvice)"]
        }
        let counted =
            state.all.isEmpty
            ? "No accounts yet."
            : isFiltered(context)
                ? "Filter \"\(state.filter)\", \(state.visible.count) of \(state.all.count) accounts:"
                : "\(Moment.count(state.visible.count, "account")):"
        return [title, counted] + rowLines(context) + profile.hints
    }

    func rowLabels(_ context: Context) -> [String] {
        context.accounts.visible.map { Self.describe(context.accounts.all[$0], context) }
    }

    private static func describe(_ account: AccountSummary, _ context: Context) -> String {
        let guests = account.guestTenants.map { "guest in \($0)" }
        let parts = [
            account.name, account.username, account.tenant.map { "tenant \($0)" }, account.environment,
            account.otherAuthority.map { "other authority \($0)" },
            account.token(at: context.now).map {
                "token: \($0.sentence(by: context.now, in: context.options.timeZone))"
            },
            account.identifier == context.defaultAccount ? "default" : nil,
            account.isFromOtherApplication ? "from another app" : nil,
        ]
        return (parts.compactMap(\.self) + guests).filter { !$0.isEmpty }.joined(separator: ", ")
    }

    func question(_ context: Context) -> LineQuestion? {
        isEditingFilter ? LineQuestion(prompt: Layer.filter.rawValue) : nil
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        guard !text.isEmpty else { return .move(.back) }
        context.accounts.setFilter(Printable.sanitize(text))
        isEditingFilter = false
        return .none
    }
}
