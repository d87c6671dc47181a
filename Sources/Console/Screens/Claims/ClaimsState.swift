import AuthEngine
import TerminalUI

/// The claims screen: one token, or two compared.
package struct ClaimsState: Sendable, Equatable, ConsoleScreen {
    package enum Tab: Sendable, Equatable, CaseIterable {
        case idToken, accessToken
        /// From the same account's previous acquisition.
        case previousIDToken, previousAccessToken
        case pasted

        package var title: String {
            switch self {
            case .idToken: "ID token"
            case .accessToken: "Access token"
            case .previousIDToken: "Previous ID token"
            case .previousAccessToken: "Previous access token"
            case .pasted: "Pasted token"
            }
        }
    }

    /// The shown acquisition; nil if only a pasted token is open.
    package var acquisition: Acquisition?
    package var previous: Acquisition?
    package var pasted: PastedToken?
    /// The flow that acquired the tokens, for the inspector.
    package var flow: EffectID?
    package var tab = Tab.idToken
    /// The tab to compare the shown token with.
    package var comparison: Tab?
    /// The selected row of the table.
    package var selection = 0
    package var showsJSON = false
    /// Whether the raw token shows its full signature.
    package var isRevealed = false
    /// The scroll offset of the raw token.
    package var top = 0

    package init(_ acquisition: Acquisition, previous: Acquisition? = nil, flow: EffectID? = nil) {
        self.acquisition = acquisition
        self.previous = previous
        self.flow = flow
    }

    package init(pasted: PastedToken) {
        self.pasted = pasted
        tab = .pasted
    }

    /// The tabs to show. Previous tokens have tabs only if they differ.
    package var tabs: [Tab] {
        var tabs: [Tab] = acquisition == nil ? [] : [.idToken, .accessToken]
        if let previous, previous.idToken != acquisition?.idToken { tabs.append(.previousIDToken) }
        if let previous, previous.accessToken != acquisition?.accessToken { tabs.append(.previousAccessToken) }
        if pasted != nil { tabs.append(.pasted) }
        return tabs
    }

    package var token: TokenContent { content(of: tab) }

    package func content(of tab: Tab) -> TokenContent {
        switch tab {
        case .idToken: acquisition?.idToken ?? .absent
        case .accessToken: acquisition?.accessToken ?? .absent
        case .previousIDToken: previous?.idToken ?? .absent
        case .previousAccessToken: previous?.accessToken ?? .absent
        case .pasted: pasted.map { .decoded($0.token) } ?? .absent
        }
    }

    /// The verdicts on the shown token. An acquisition has verdicts on its ID token only.
    package var verdicts: [MSALIDTokenVerdict] {
        switch tab {
        case .idToken: acquisition?.verdicts ?? []
        case .previousIDToken: previous?.verdicts ?? []
        case .pasted: pasted?.verdicts ?? []
        case .accessToken, .previousAccessToken: []
        }
    }

    /// The selectable rows.
    package var rows: [ClaimsRow] {
        if let comparison {
            return TokenComparison(token, content(of: comparison)).differences.map(ClaimsRow.difference)
        }
        let verdicts = verdicts.map(ClaimsRow.verdict)
        guard case .decoded(let token) = token else { return verdicts }
        return verdicts + token.claims.map(ClaimsRow.claim) + token.header.map(ClaimsRow.header)
    }

    /// The readable tokens to compare the shown one with, starting with the next tab.
    package var partners: [Tab] {
        let others = tabs.filter { tab in
            guard tab != self.tab, case .decoded = content(of: tab) else { return false }
            return true
        }
        guard let place = tabs.firstIndex(of: tab) else { return others }
        return others.filter { (tabs.firstIndex(of: $0) ?? 0) > place }
            + others.filter {
                (tabs.firstIndex(of: $0) ?? 0) < place
            }
    }

    /// Shows another tab from its first row.
    mutating func show(_ tab: Tab) {
        guard tab != self.tab, tabs.contains(tab) else { return }
        self.tab = tab
        (selection, top, showsJSON, isRevealed, comparison) = (0, 0, false, false, nil)
    }

    package enum Layer: String, KeyLayer { case all = "Claims" }

    func title(_ context: Context) -> String {
        acquisition.map { "Claims of \($0.account.displayName)" } ?? "Pasted token"
    }

    func place(_ context: Context) -> String {
        showsJSON || rows.isEmpty ? "" : StatusPlace.text(selection, of: rows.count)
    }

    func pace(_ context: Context) -> Pace { .everyMinute }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        ClaimsView(state: self, context: context).draw(on: &surface, in: rect)
    }

    func extent(_ context: Context) -> Extent? {
        let view = ClaimsView(state: self, context: context)
        guard showsJSON else {
            return Extent(position: selection, last: rows.count - 1, page: view.pageHeight, shown: view.shown)
        }
        let last = view.lastTop
        return Extent(position: min(top, last), last: last, page: view.pageHeight)
    }

    mutating func go(to position: Int, _ context: inout Context) {
        if showsJSON { top = position } else { selection = max(0, min(position, rows.count - 1)) }
    }

    func copyable(_ context: Context) -> CopiedText? {
        !showsJSON && rows.indices.contains(selection) ? rows[selection].copyable : nil
    }

    static let commands: [Command] =
        [
            Command(
                "nextTab", [.tab], "Show the next token; when comparing, compare with the next.",
                hint: "other token"
            ) { state, _ in state.turn(by: 1) },
            Command(
                "compare", [.character("=")], "Compare with another token, or stop comparing.",
                hint: "compare", if: hasPartner
            ) { state, _ in
                state.comparison = state.comparison == nil ? state.partners.first : nil
                (state.selection, state.showsJSON) = (0, false)
                return .none
            },
            Command(
                "json", [.character("r")], "Show the raw header, claims and signature, or the table.",
                hint: "raw", if: { state, _ in state.isReadable }
            ) { state, _ in
                state.showsJSON.toggle()
                (state.isRevealed, state.top) = (false, 0)
                return .none
            },
            Command(
                "reveal", [.character("v")], "Show or hide the signature (secret).",
                inLines: .absent,
                if: { state, _ in
                    Availability(state.showsJSON, else: "Press r first to show the raw token.")
                }
            ) { state, _ in
                state.isRevealed.toggle()
                return .none
            },
            tab("idTokenTab", "1", "Show the ID token.", .idToken),
            tab("accessTokenTab", "2", "Show the access token.", .accessToken),
            Command("previousTab", [.backTab], "Show the previous token.", inLines: .absent) { state, _ in
                state.turn(by: -1)
            },
            Command(
                "renew", [.character("R")], "Refresh this account's token and show the new one.",
                if: { state, context in
                    state.account(context).map(context.canRefresh)
                        ?? .unavailable("A pasted token has no account.")
                }
            ) { state, context in
                state.account(context).map { .open(.silent($0, isForced: true)) } ?? .none
            },
            pasteToken(),
            inspect(goes: false, hint: "flow"),
            copy("Copy the selected value to the clipboard.", inLines: .someRows),
            saveCopy(inLines: .someRows),
            walkOn(),
        ] + moving() + finding() + [back("Go back.", hint: "back"), close(closingCancels), interrupt]

    private static func tab(_ name: CommandName, _ key: Character, _ sentence: String, _ tab: Tab) -> Command {
        Command(
            name, [.character(key)], sentence, inLines: .absent,
            if: { state, _ in Availability(state.acquisition != nil, else: "Only a pasted token is open.") }
        ) { state, _ in
            state.show(tab)
            return .none
        }
    }

    private var isReadable: Availability {
        switch token {
        case .decoded: .available
        case .opaque: .unavailable("Only the resource can read this token.")
        case .absent: .unavailable("The authority returned no such token.")
        }
    }

    private static func hasPartner(_ state: ClaimsState, _ context: Context) -> Availability {
        guard state.isReadable == .available else { return state.isReadable }
        return Availability(
            !state.partners.isEmpty, else: "No other readable token. Press t to paste one.")
    }

    /// The token's account as the list has it, or else as it was acquired.
    private func account(_ context: Context) -> AccountSummary? {
        guard let shown = acquisition?.account else { return nil }
        return context.accounts.all.first { $0.identifier == shown.identifier } ?? shown
    }

    /// Shows the next token; when comparing, compares with the next one.
    private mutating func turn(by step: Int) -> Reaction {
        if let comparison {
            self.comparison = Self.neighbour(of: comparison, in: partners, by: step)
            selection = 0
        } else if let tab = Self.neighbour(of: tab, in: tabs, by: step) {
            show(tab)
        }
        return .none
    }

    private static func neighbour(of tab: Tab, in tabs: [Tab], by step: Int) -> Tab? {
        guard let index = tabs.firstIndex(of: tab) else { return tabs.first }
        return tabs[(index + step + tabs.count) % tabs.count]
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        guard comparison != nil else { return false }
        (comparison, selection) = (nil, 0)
        return true
    }

    /// Refreshed claims replace the shown ones; a pasted token gets its own tab.
    mutating func takes(_ opening: Opening) -> Bool {
        guard opening.renews, var other = opening.screen as? ClaimsState else { return false }
        if other.acquisition == nil {
            pasted = other.pasted
            show(.pasted)
        } else {
            other.pasted = pasted
            self = other
        }
        return true
    }
}

/// A row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(TokenComparison.Difference)

    fileprivate var copyable: CopiedText {
        switch self {
        case .verdict(let verdict):
            CopiedText("the check", fileName: "check.txt", "\(verdict.rule): \(verdict.explanation)")
        case .claim(let claim), .header(let claim):
            CopiedText("the value of \(claim.name)", fileName: "claim.txt", claim.text)
        case .difference(let difference):
            CopiedText(
                "both values of \(difference.name)", fileName: "claim.txt",
                [difference.left, difference.right].map { $0?.text ?? "" }.joined(separator: "\n"))
        }
    }
}

extension Destination {
    /// The claims of an acquisition, to be compared with the account's previous one.
    /// - Parameter isRefresh: whether the claims replace those of a claims screen beneath.
    static func claims(_ acquisition: Acquisition, _ flow: EffectID, isRefresh: Bool) -> Destination {
        Destination { context in
            let previous = context.acquisitions.updateValue(acquisition, forKey: acquisition.account.identifier)
            return Opening(ClaimsState(acquisition, previous: previous, flow: flow), renews: isRefresh)
        }
    }

    static func pastedToken(_ token: PastedToken) -> Destination {
        Destination { _ in Opening(ClaimsState(pasted: token), renews: true) }
    }
}
