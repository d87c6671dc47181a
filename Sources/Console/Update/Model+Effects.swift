/// Effects and what the model keeps to know their results by.
extension Model {
    mutating func readAccounts() -> Effect {
        let id = makeEffectID()
        accounts.phase = .reading(id)
        return .readAccounts(id)
    }

    /// By the profile's own way, unless the person chose one.
    mutating func signIn(as account: AccountSummary? = nil, by chosen: SignInWay? = nil) -> Effect {
        let id = makeEffectID()
        let way = chosen ?? profile?.way ?? .browser
        spinner = 0
        routes.append(.signIn(SignInState(id: id, account: account, way: way)))
        return .signIn(id, SignInRequest(scopes: profile?.scopes ?? [], account: account?.identifier, way: way))
    }

    mutating func acquireSilently(_ account: AccountSummary) -> Effect {
        let id = makeEffectID()
        spinner = 0
        routes.append(.silent(SilentState(id: id, account: account)))
        return .acquireSilently(id, account: account.identifier, scopes: profile?.scopes ?? [])
    }

    mutating func remove(_ account: AccountSummary) -> Effect {
        let id = makeEffectID()
        accounts.removing = AccountsState.Removal(id: id, account: account)
        return .remove(id, account: account.identifier)
    }
}
