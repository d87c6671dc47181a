import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The claims screen: one token, or two compared.
package struct ClaimsState: ViewedScreen, TabbedScreen, CopyingScreen, InspectableScreen, WorkingScreen {
    package enum Tab: String, Sendable, CaseIterable {
        case idToken = "ID token", accessToken = "Access token"
        /// From the same account's previous acquisition.
        case previousIDToken = "Previous ID token", previousAccessToken = "Previous access token"
        case pasted = "Pasted token"

        package var title: String { rawValue }
    }

    /// The shown acquisition; nil if only a pasted token is open.
    package var acquisition: Acquisition?
    package var previous: Acquisition?
    package var pasted: PastedClaims?
    package var flow: EffectID?
    package var tab = Tab.idToken
    package var comparison: Tab?
    var pane = ListPane()
    package var showsJSON = false
    /// Whether the checks that passed or weren't needed are listed too.
    package var showsChecks = false
    package var hidesEqual = false
    var running: EffectID?
    package var isRevealed = false
    var raw = TextPane()

    package init(_ acquisition: Acquisition, previous: Acquisition? = nil, flow: EffectID? = nil) {
        (self.acquisition, self.previous, self.flow) = (acquisition, previous, flow)
    }

    package init(pasted: PastedClaims) { (self.pasted, tab) = (pasted, .pasted) }

    /// Previous tokens have tabs only if they differ.
    package var tabs: [Tab] {
        var tabs: [Tab] = acquisition == nil ? [] : [.idToken, .accessToken]
        if let previous, previous.idToken != acquisition?.idToken { tabs.append(.previousIDToken) }
        if let previous, previous.accessToken != acquisition?.accessToken { tabs.append(.previousAccessToken) }
        if pasted != nil { tabs.append(.pasted) }
        return tabs
    }

    package var token: ClaimsContent { content(of: tab) }

    package func content(of tab: Tab) -> ClaimsContent {
        switch tab {
        case .idToken: acquisition?.idToken ?? .absent
        case .accessToken: acquisition?.accessToken ?? .absent
        case .previousIDToken: previous?.idToken ?? .absent
        case .previousAccessToken: previous?.accessToken ?? .absent
        case .pasted: pasted.map { .decoded($0.token) } ?? .absent
        }
    }

    /// An acquisition has verdicts on its ID token only.
    package var verdicts: [MSALIDTokenVerdict] {
        switch tab {
        case .idToken: acquisition?.verdicts ?? []
        case .previousIDToken: previous?.verdicts ?? []
        case .pasted: pasted?.verdicts ?? []
        case .accessToken, .previousAccessToken: []
        }
    }

    /// The checks that need no attention, counted: "5 passed".
    var quietChecks: [(words: String, style: Style)] {
        [(MSALIDTokenVerdict.Outcome.passed, "passed", Style.success), (.skipped, "not needed", .muted)]
            .map { outcome, word, style in (verdicts.count { $0.outcome == outcome }, word, style) }
            .filter { $0.0 > 0 }.map { ("\($0) \($1)", $2) }
    }

    package var rows: [ClaimsRow] { allRows.matching(pane.filter.text) { Self.line($0, by: nil) } }

    private var allRows: [ClaimsRow] {
        if let comparison {
            return ClaimsComparison(token, content(of: comparison)).differences
                .filter { !hidesEqual || $0.kind != .same }.map(ClaimsRow.difference)
        }
        let checks = verdicts.failedFirst.filter { showsChecks || $0.outcome.needsAttention }.map(ClaimsRow.verdict)
        guard case .decoded(let token) = token else { return checks }
        return checks + ClaimGroup.sorted(token.claims).map(ClaimsRow.claim) + token.header.map(ClaimsRow.header)
    }

    package var partners: [Tab] {
        let place = tabs.firstIndex(of: tab) ?? tabs.endIndex
        return (tabs.dropFirst(place + 1) + tabs.prefix(place)).filter { content(of: $0).decoded != nil }
    }

    mutating func show(_ tab: Tab) {
        guard tab != self.tab, tabs.contains(tab) else { return }
        self.tab = tab
        (pane, raw, showsJSON, isRevealed, comparison) = (ListPane(), TextPane(), false, false, nil)
    }

    static var howToOpen: String { "Open an account with Enter." }
    package enum Layer: String, KeyLayer { case all = "Claims", filter = "Filter claims" }

    package var layer: Layer { pane.isFiltering ? .filter : .all }

    static let closing = Wait.Closing.cancel

    func title(_ context: Context) -> String {
        acquisition.map { "Claims of \($0.account.displayName)" } ?? "Pasted token"
    }

    func place(_ context: Context) -> String { showsJSON && !pane.isFiltered ? "" : pane.place(of: rows.count) }

    func pace(_ context: Context) -> Pace { .everyMinute }

    func key(at point: Point, _ context: Context) -> Key? { view(context).key(at: point) }
    func rows(_ context: Context) -> [ClaimsRow] { rows }
    func view(_ context: Context) -> ClaimsView { ClaimsView(state: self, context: context) }

    func extent(_ context: Context) -> Extent? {
        showsJSON ? view(context).rawExtent : pane.extent(of: rows.count, shown: shown(context))
    }

    mutating func go(to position: Int, _ context: inout Context) {
        if showsJSON { raw.top = position } else { pane.select(row: position, of: rows.count) }
    }

    func inspectable(_ context: Context) -> FlowTrace? { flow.flatMap { context.traces[$0] } }

    func copyable(_ context: Context) -> CopiedText? { showsJSON ? nil : rows[at: selection]?.copyable }

    static let commands: [Command] = reading.only(in: .all) + filtering.only(in: .filter) + [interrupt]

    private static let filtering: [Command] =
        [
            Command(
                "keepFilter", [.enter], "Keep the filter and return to the claims.", hint: "keep", inLines: .absent,
                do: changing { $0.pane.isFiltering = false })
        ] + upAndDown([.up], [.down]) + [back("Clear the filter.", hint: "clear")]

    private static let reading: [Command] =
        [
            Command(
                "copyToken", .verb(.copy), "Copy the access token to the clipboard (secret).",
                hint: "copy access token",
                if: { state, _ in
                    Availability(state.content(of: .accessToken) != .absent, else: "There is no access token to copy.")
                }
            ) { state, context in state.acquisition.map { .start(context.work(.copyToken($0))) } ?? .none },
            Command(
                "copyAsCommand", .verb(.copyAsCommand), "Copy a curl command that gets the token.", hint: "curl",
                if: { state, context in
                    state.acquisition == nil ? .unavailable("A pasted token has no account.") : context.canCopyAsCommand
                }
            ) { state, context in
                state.acquisition.map { .start(context.copyAsCommand($0.account, $0.scopes)) } ?? .none
            },
            Command(
                "nextTab", [.tab], "Show the next token, compare with it, or swap the two.", hint: "switch",
                inLines: .whenAvailable,
                if: { state, _ in Availability(state.tabs.count > 1, else: "There is no other token.") },
                do: changing { $0.turn(by: 1) }),
            Command(
                "compare", .verb(.compare), "Compare with another token, or stop comparing.",
                hint: "compare", if: hasPartner,
                do: changing {
                    $0.comparison = $0.comparison == nil ? $0.partners.first : nil
                    ($0.showsJSON, $0.pane) = (false, ListPane())
                }),
            Command(
                "filter", .verb(.search), "Filter checks and claims.",
                if: { state, _ in
                    Availability(
                        !state.showsJSON && !state.allRows.isEmpty,
                        else: state.showsJSON
                            ? "Press \(Verb.details.label) first to show the table." : "There are no claims to filter.")
                },
                do: changing { ($0.pane.isFiltering, $0.selection) = (true, 0) }),
            Command(
                "details", .verb(.details), "Show the raw token (header, claims, signature), or the table again.",
                hint: "raw",
                hintNow: { state, _ in
                    guard state.comparison == nil else { return state.hidesEqual ? "all claims" : "differences" }
                    return state.showsJSON ? "table" : nil
                },
                sentenceNow: { state, _ in
                    state.comparison == nil ? nil : "Show only the differences, or all claims."
                }, if: { state, _ in state.isReadable },
                do: changing {
                    if $0.comparison == nil {
                        ($0.showsJSON, $0.isRevealed, $0.raw) = (!$0.showsJSON, false, TextPane())
                    } else {
                        ($0.hidesEqual, $0.selection) = (!$0.hidesEqual, 0)
                    }
                }),
            Command(
                "checks", .verb(.check), "List all checks, or only those that failed or warn.", hint: "checks",
                if: { state, _ in Availability(!state.verdicts.isEmpty, else: "This token has no checks.") },
                do: changing {
                    $0.showsChecks.toggle()
                    ($0.showsJSON, $0.comparison, $0.pane) = (false, nil, ListPane())
                }),
            Command(
                "reveal", .verb(.secret), "Show or hide the signature (secret).", inLines: .absent,
                if: { state, _ in
                    Availability(state.showsJSON, else: "Press \(Verb.details.label) first to show the raw token.")
                },
                do: changing { $0.isRevealed.toggle() }),
            tab("firstTab", 1), tab("secondTab", 2), tab("thirdTab", 3), tab("fourthTab", 4), tab("fifthTab", 5),
            Command(
                "previousTab", [.backTab], "Show the previous token.", inLines: .absent,
                do: changing { $0.turn(by: -1) }),
            Command(
                "renew", .verb(.refresh), "Refresh this account's token and show the new one.",
                if: { $0.account($1).map($1.canRefresh) ?? .unavailable("A pasted token has no account.") }
            ) { state, context in state.account(context).map { .open(.silent($0, isForced: true)) } ?? .none },
            pasteToken, zoom, inspect(goes: false, hint: "flow"),
            copy("Copy the selected value to the clipboard.", .copyValue, inLines: .someRows),
            saveCopy(inLines: .someRows), walkOn(),
        ] + moving() + finding() + [back("Go back.", hint: "back"), close(closingCancels)]

    private static func tab(_ name: CommandName, _ number: Int) -> Command {
        Command(
            name, [.character(Character("\(number)"))], "Show the token of tab \(number).", inLines: .absent,
            if: { state, _ in Availability(number <= state.tabs.count, else: "No tab \(number).") },
            do: changing { $0.show($0.tabs[number - 1]) })
    }

    private var isReadable: Availability {
        switch token {
        case .decoded: .available
        case .opaque: .unavailable("Only the API can read this token.")
        case .absent: .unavailable("The authority returned no such token.")
        }
    }

    private static func hasPartner(_ state: ClaimsState, _ context: Context) -> Availability {
        guard state.isReadable == .available else { return state.isReadable }
        return Availability(
            !state.partners.isEmpty, else: "No other readable token. Press \(Verb.readToken.label) to paste one.")
    }

    /// The token's account as the list has it, or else as it was acquired.
    private func account(_ context: Context) -> AccountSummary? {
        guard let shown = acquisition?.account else { return nil }
        return context.accounts.all.first { $0.identifier == shown.identifier } ?? shown
    }

    /// Shows the next token; when comparing, compares with the next one, or swaps the two if there is none.
    private mutating func turn(by step: Int) {
        guard let comparison else {
            if let tab = tabs.next(after: tab, by: step) { show(tab) }
            return
        }
        pane = ListPane()
        let others = partners
        (tab, self.comparison) =
            others.count > 1 ? (tab, others.next(after: comparison, by: step)) : (comparison, tab)
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        if pane.clearFilter() { return true }
        guard comparison != nil || showsJSON || showsChecks else { return false }
        (comparison, showsJSON, showsChecks, isRevealed, pane) = (nil, false, false, false, ListPane())
        return true
    }

    /// The verdicts with the issuer's keys, which include those without keys; a single one says why there are none.
    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .verified(let verdicts) = result else { return .none }
        pasted?.receive(verdicts)
        if tab == .pasted, comparison == nil { selection = 0 }
        return .none
    }

    /// Refreshed claims replace the shown ones; a pasted token gets its own tab.
    func merged(into beneath: any ConsoleScreen) -> (any ConsoleScreen)? {
        guard let shown = beneath as? ClaimsState else { return nil }
        let (base, tokens) = acquisition == nil ? (shown, self) : (self, shown)
        var result = base
        (result.pasted, result.running, result.isRevealed) = (tokens.pasted, tokens.running, false)
        if acquisition == nil { result.show(.pasted) }
        return result
    }
}

extension Destination {
    /// - Parameter isRefresh: whether the claims replace those of a claims screen beneath.
    static func claims(_ acquisition: Acquisition, _ flow: EffectID, isRefresh: Bool) -> Destination {
        Destination { context in
            let previous = context.acquisitions.updateValue(acquisition, forKey: acquisition.account.identifier)
            let state = ClaimsState(acquisition, previous: previous, flow: flow)
            return Opening(state, merging: isRefresh ? { state.merged(into: $0) } : nil)
        }
    }

    /// - Parameter text: the token, to verify with its issuer's keys unless the program is offline.
    static func pastedToken(_ token: PastedClaims, _ text: String) -> Destination {
        Destination { context in
            var state = ClaimsState(pasted: token)
            let effects = context.isOffline ? [] : state.start(.verify(text, context.profile), &context).effects
            return Opening(state, effects, merging: state.merged(into:))
        }
    }
}

extension ClaimsState {
    func lines(_ context: Context) -> [String] {
        let about =
            ["\(tab.title)\(comparison.map { " compared with \($0.title)" } ?? "")."]
            + (tab == .pasted ? [] : origin(context))
        if comparison != nil { return about + rowLines(context) }
        guard case .decoded(let token) = token else { return about + [unreadableText] }
        if showsJSON {
            return about + ["Header:"] + token.headerJSON.split(separator: "\n").map(String.init) + ["Claims:"]
                + token.claimsJSON.split(separator: "\n").map(String.init)
        }
        return about + [doneChecks].filter { !$0.isEmpty } + rowLines(context)
    }

    var unreadableText: String {
        switch token {
        case .absent: verdicts.first?.explanation ?? "The authority returned no \(tab.title)."
        case .opaque(let length):
            "Opaque token (\(length) characters): only its resource can read it. Hidden, because anyone who has it can "
                + "use it."
        case .decoded: "No claims match."
        }
    }

    private var doneChecks: String {
        let words = quietChecks.map(\.words)
        return words.isEmpty || showsChecks ? "" : "Checks: \(words.joined(separator: ", "))."
    }

    private func origin(_ context: Context) -> [String] {
        guard let acquisition else { return [] }
        let expiry = acquisition.expiresOn.map { date in
            "The access token expires \(context.now.map { Moment.relative(date, to: $0) } ?? "") (\(Moment.utc(date)))."
        }
        return [
            "For \(acquisition.account.displayName).",
            acquisition.isFromCache ? "From the cache." : "From \(acquisition.authority).",
            "Scopes: \(acquisition.scopes.joined(separator: " "))", expiry,
        ].compactMap(\.self)
    }

    func label(_ row: ClaimsRow, _ context: Context) -> String { Self.line(row, by: context.now) }
    func rowLabels(_ context: Context) -> [String] { showsJSON ? [] : rows.map { label($0, context) } }

    /// Name first, because screen reader users listen for the name.
    static func line(_ row: ClaimsRow, by now: Date?) -> String {
        switch row {
        case .verdict(let verdict): "\(verdict.rule) check: \(verdict.outcome.rawValue). \(verdict.explanation)"
        case .claim(let claim): line(claim, row.entry?.meaning, by: now)
        case .header(let claim): "Header " + line(claim, row.entry?.meaning, by: now)
        case .difference(let difference):
            "\(difference.name): \(value(difference.left)); other token: \(value(difference.right))."
        }
    }

    private static func value(_ claim: MSALTokenClaim?) -> String {
        claim.map { $0.text.isEmpty ? "empty" : $0.text } ?? "none"
    }

    private static func line(_ claim: MSALTokenClaim, _ meaning: String?, by now: Date?) -> String {
        let times = claim.date.map { date in
            [Moment.utc(date), now.map { Moment.relative(date, to: $0) }].compactMap(\.self)
        }
        let value = ([claim.text] + (times ?? [])).joined(separator: ", ")
        return "\(claim.name): \(value).\(meaning.map { " \($0)" } ?? "")"
    }
}
