extension MSALPublicClientApplication {
    /// Also records the current account as the next call's previous one (docs/upstream-behaviour.md §4.8).
    func exchangePrincipal() -> Result<CurrentAccount, any Error> {
        Result {
            try Self.translatingErrors {
                let previous = try cache.principal().map(account)
                let signedIn = try findAccounts(MSALAccountEnumerationParameters())
                guard signedIn.count <= 1 else { throw AuthenticationFailure.caller(.severalAccounts(signedIn.count)) }
                let current = signedIn.first.flatMap(AccountReference.init)
                try cache.setPrincipal(current?.homeAccountID.isEmpty == false ? current : nil)
                return (current: signedIn.first, previous: previous)
            }
        }
    }

    /// The account of a principal, even if it signed out or the cache no longer has it.
    private func account(_ principal: AccountReference) throws -> MSALAccount {
        let parameters = MSALAccountEnumerationParameters(identifier: principal.homeAccountID)
        parameters.returnOnlySignedInAccounts = false
        return try findAccounts(parameters).first
            ?? MSALAccount(
                username: principal.username,
                homeAccountId: MSALAccountId(
                    principal.homeAccountID, isOpenID: !settings.authority.speaksEntra),
                environment: principal.environment, tenantProfiles: nil, claims: nil)
    }
}

typealias CurrentAccount = (current: MSALAccount?, previous: MSALAccount?)
