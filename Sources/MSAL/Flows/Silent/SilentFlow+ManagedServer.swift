import OAuthCore

extension SilentFlow {
    /// The token of a managed server, by the ID token of the sign-in while that is valid; `nil` if only a refresh can give another.
    func exchanged(_ search: CacheSearch, _ account: AccountReference) async throws -> TokenOutcome? {
        try await context.findManagedServer(isSilent: true)
        guard request.token.isForManagedServer, request.token.claims.isEmpty, let realm = search.realm,
            let idToken = search.credentials.idToken(realm: realm, environments: search.environments.inCache),
            let expiry = (try? JWT(parsing: idToken.reveal()))?.claims.expiry,
            expiry > context.dependencies.time.now().addingTimeInterval(60)
        else { return nil }
        let authority = try await context.authorities.resolve(search.authority)
        try checkAuthority(search)
        try authority.requireOwnCloud()
        return try await context.dependencies.finishing {
            var authority = authority
            let room = try context.roomForTokens()
            let exchanged = await context.exchanged(idToken, at: &authority, for: request.token)
            let canRefresh = !refreshTokens(search, account).isEmpty
            if let failure = exchanged?.failure {
                guard failure.kind == .signInRequired, canRefresh else { throw failure }
                return nil
            }
            var outcome = try context.outcome(
                of: .empty(), nil, from: authority, for: request.token,
                previous: search.account(client: context.settings.clientID), exchanged: exchanged)
            (outcome.idToken, outcome.claims) = (idToken, outcome.profile.claims)
            return try context.complete(refresh: outcome, for: request.token, in: room)
        }
    }
}
