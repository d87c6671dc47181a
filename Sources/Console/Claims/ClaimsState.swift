import AuthEngine

/// The claims screen: two tokens, one shown.
package struct ClaimsState: Sendable, Equatable {
    package enum Tab: Sendable, Equatable, CaseIterable {
        case idToken, accessToken

        package var title: String { self == .idToken ? "ID token" : "Access token" }
        package var other: Tab { self == .idToken ? .accessToken : .idToken }
    }

    package var acquisition: Acquisition
    /// What can be inspected of how it was got.
    package var flow: EffectID?
    package var tab = Tab.idToken
    /// The selected row of the table.
    package var selection = 0
    package var showsJSON = false
    /// The first line of the JSON that is shown.
    package var top = 0

    package init(_ acquisition: Acquisition, flow: EffectID? = nil) {
        self.acquisition = acquisition
        self.flow = flow
    }

    package var token: TokenContent { tab == .idToken ? acquisition.idToken : acquisition.accessToken }

    /// The rows a selection can be on. The verdicts are about the ID token, so they stand with it.
    package var rows: [ClaimsRow] {
        let verdicts = tab == .idToken ? acquisition.verdicts : []
        guard case .decoded(let token) = token else { return verdicts.map(ClaimsRow.verdict) }
        return verdicts.map(ClaimsRow.verdict) + token.claims.map(ClaimsRow.claim)
            + token.header.map(ClaimsRow.header)
    }
}

/// One row of the claims screen.
package enum ClaimsRow: Sendable, Equatable {
    case verdict(MSALIDTokenVerdict)
    case claim(MSALTokenClaim)
    case header(MSALTokenClaim)
}
