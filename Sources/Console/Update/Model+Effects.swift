/// Effects and what the model keeps to know their results by.
extension Model {
    mutating func readAccounts() -> Effect {
        let id = makeEffectID()
        accounts.phase = .reading(id)
        learning = id
        return .readAccounts(id)
    }

    /// By the way that fits, unless the person chose one.
    mutating func signIn(as account: AccountSummary? = nil, by way: SignInWay? = nil) -> Effect {
        let request = SignInRequest(
            scopes: profile?.scopes ?? [], account: account?.identifier, way: way ?? preferredWay)
        return signIn(as: account, asking: request, in: way == nil ? chain(startingWith: request.way) : nil)
    }

    /// A way that cannot work gives its place to the usual ones, also when a failed sign-in is tried again.
    /// - Parameters:
    ///   - chain: the request's way alone, unless given.
    ///   - refusals: of the ways before it.
    mutating func signIn(
        as account: AccountSummary? = nil, asking request: SignInRequest, in chain: SignInChain? = nil,
        after refusals: [SignInRefusal] = []
    ) -> Effect {
        let id = makeEffectID()
        spinner = 0
        traces.begin(id, account.map { "Sign in as \($0.displayName)" } ?? "Sign in")
        var (request, chain) = (request, chain ?? SignInChain([request.way], otherwise: proposal.usual))
        if proposal.obstacle(to: request.way) != nil {
            request.way = preferredWay
            chain = self.chain(startingWith: preferredWay)
        }
        routes.append(
            .signIn(SignInState(id: id, account: account, request: request, chain: chain, refusals: refusals)))
        return .signIn(id, request)
    }

    /// - Parameter isForced: from the authority, even where the cache still has a token.
    mutating func acquireSilently(_ account: AccountSummary, isForced: Bool = false) -> Effect {
        let id = makeEffectID()
        spinner = 0
        traces.begin(id, "\(isForced ? "New token" : "Token") for \(account.displayName)")
        routes.append(.silent(SilentState(id: id, account: account, isForced: isForced)))
        return .acquireSilently(
            id, account: account.identifier, scopes: profile?.scopes ?? [], isForced: isForced)
    }

    mutating func remove(_ account: AccountSummary) -> Effect {
        let id = makeEffectID()
        accounts.removing = AccountsState.Removal(id: id, account: account)
        return .remove(id, account: account.identifier)
    }
}
