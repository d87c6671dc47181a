import AuthEngine

/// The claims screen: tokens, of which one is shown, or two beside each other.
package struct ClaimsState: Sendable, Equatable {
    package enum Tab: Sendable, Equatable, CaseIterable {
        case idToken, accessToken
        /// Those of the acquisition before this one, for the same account.
        case previousIDToken, previousAccessToken
        case pasted

        package var title: String {
            switch self {
            case .idToken: "ID token"
            case .accessToken: "Access token"
            case .previousIDToken: "ID token before"
            case .previousAccessToken: "Access token before"
            case .pasted: "Pasted token"
            }
        }
    }

    /// Nil when only a pasted token is read.
    package var acquisition: Acquisition?
    package var previous: Acquisition?
    package var pasted: PastedToken?
    /// What can be inspected of how it was got.
    package var flow: EffectID?
    package var tab = Tab.idToken
    /// The token beside the shown one, when two are compared.
    package var comparison: Tab?
    /// The selected row of the table.
    package var selection = 0
    package var showsJSON = false
    /// Whether the JSON's signature is shown whole.
    package var isRevealed = false
    /// The first line of the JSON that is shown.
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

    /// The tabs there are. Tokens of before are there when they are others.
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

    /// Where the verdicts on the shown token stand. Those of an acquisition are about its ID token.
    package var verdicts: [MSALIDTokenVerdict] {
        switch tab {
        case .idToken: acquisition?.verdicts ?? []
        case .previousIDToken: previous?.verdicts ?? []
        case .pasted: pasted?.verdicts ?? []
        case .accessToken, .previousAccessToken: []
        }
    }

    /// The rows a selection can be on.
    package var rows: [ClaimsRow] {
        if let comparison {
            return TokenComparison(token, content(of: comparison)).differences.map(ClaimsRow.difference)
        }
        let verdicts = verdicts.map(ClaimsRow.verdict)
        guard case .decoded(let token) = token else { return verdicts }
        return verdicts + token.claims.map(ClaimsRow.claim) + token.header.map(ClaimsRow.header)
    }

    /// The readable tokens that the shown one can be held against, from the next tab on.
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

    /// Starts at the top of another tab.
    mutating func show(_ tab: Tab) {
        guard tab != self.tab, tabs.contains(tab) else { return }
        self.tab = tab
        (selection, top, showsJSON, isRevealed, comparison) = (0, 0, false, false, nil)
    }
}

/// One row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(TokenComparison.Difference)
}
