import Foundation

extension MSALPublicClientApplication {
    /// The one account that is signed in now, and the one that was when this was last asked.
    ///
    /// Throws ``MSALInternalError/internalErrorAmbiguousAccount`` when several are signed in; what is remembered then stays.
    public nonisolated(nonsending) func currentAccount(
        with parameters: MSALParameters?
    ) async throws -> (MSALAccount?, MSALAccount?) {
        let accounts = try Self.translatingErrors(nil) { try exchangePrincipal() }
        return (accounts.current, accounts.previous)
    }

    /// As the `async` form: the current account, the previous one. The block runs on the queue of the parameters, else on
    /// any thread.
    public func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping @Sendable (MSALAccount?, MSALAccount?, (any Error)?) -> Void
    ) {
        Completion<CurrentAccount>(queue: parameters?.completionBlockQueue) { accounts, error in
            completionBlock(accounts?.current, accounts?.previous, error)
        }.run { [self] in
            try Self.translatingErrors(nil) { try exchangePrincipal() }
        }
    }

    /// What is current becomes what the next call reports as previous (msal-behaviours §4.8).
    private func exchangePrincipal() throws -> CurrentAccount {
        let cache = TokenCache(store: dependencies.credentials, clientID: settings.clientID)
        let previous = try cache.principal().map(account)
        let signedIn = try accounts(for: MSALAccountEnumerationParameters())
        guard signedIn.count <= 1 else { throw AuthenticationFailure.severalAccounts(signedIn.count) }
        try cache.setPrincipal(signedIn.first.flatMap(PrincipalAccount.init))
        return CurrentAccount(current: signedIn.first, previous: previous)
    }

    /// Also an account that signed out, or that the cache has forgotten.
    private func account(_ principal: PrincipalAccount) throws -> MSALAccount {
        let parameters = MSALAccountEnumerationParameters(identifier: principal.homeAccountID)
        parameters.returnOnlySignedInAccounts = false
        return try accounts(for: parameters).first
            ?? MSALAccount(
                username: principal.username, homeAccountId: MSALAccountId(principal.homeAccountID),
                environment: principal.environment, tenantProfiles: nil, claims: nil)
    }
}

private struct CurrentAccount: Sendable {
    var current: MSALAccount?
    var previous: MSALAccount?
}

extension PrincipalAccount {
    fileprivate init?(_ account: MSALAccount) {
        guard let identifier = account.identifier else { return nil }
        self.init(homeAccountID: identifier, username: account.username, environment: account.environment)
    }
}
