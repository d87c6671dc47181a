import AuthEngine

/// The claims screen: one token, or two compared.
package struct ClaimsState: Sendable, Equatable {
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
}

/// A row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
    case difference(TokenComparison.Difference)
}
