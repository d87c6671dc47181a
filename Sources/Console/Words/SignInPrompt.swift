import AuthEngine

/// What the authority's page shall insist on (OpenID Connect Core §3.1.2.1, `prompt`).
package enum SignInPrompt: String, Sendable, CaseIterable {
    case whenNeeded, selectAccount, login, consent, create

    var title: String {
        switch self {
        case .whenNeeded: "only what is needed"
        case .selectAccount: "choose an account"
        case .login: "enter the password again"
        case .consent: "agree again"
        case .create: "make a new account"
        }
    }

    package var type: MSALPromptType {
        switch self {
        case .whenNeeded: .promptIfNecessary
        case .selectAccount: .selectAccount
        case .login: .login
        case .consent: .consent
        case .create: .create
        }
    }

    /// The one after or before, round and round.
    func moved(by distance: Int) -> SignInPrompt {
        let all = Self.allCases
        let index = (all.firstIndex(of: self) ?? 0) + distance
        return all[((index % all.count) + all.count) % all.count]
    }
}
