import KeyturnSystem
import OAuthCore

extension MSALPublicClientApplication {
    /// Copies the parameters, because the caller may change them after the call.
    func signoutCall(_ account: MSALAccount, _ parameters: MSALSignoutParameters) -> @Sendable () async throws -> Bool {
        let correlationID = dependencies.random.uuid()
        let context = context(parameters, correlationID)
        let (wipesAccount, wipesEverything) = (parameters.wipeAccount, parameters.wipeCacheForAllAccounts)
        let closesSession = parameters.signoutFromBrowser
        let (revokes, report) = (parameters.revokesTokens, parameters.revocationHandler)
        let webview = parameters.webviewParameters
        if closesSession { log(correlationID).note(webview.webviewType) }
        let logout = LogoutFlow(
            context: context, correlationID: correlationID,
            extraQueryParameters: Parameters(parameters.extraQueryParameters ?? [:]),
            access: .init(
                openURL: webview.openURLHandler, lendTerminal: webview.terminalLender,
                isFollowed: parameters.flowEventHandler != nil, limit: UserFailure.signOutPatience))
        return { [self] in
            do {
                return try await ThreadPool.runBlocking { [self] in
                    var logout = logout
                    if closesSession {
                        try requireOwnAuthority(account)
                        logout.idToken = try account.identifier.flatMap(context.cache.idToken)
                    }
                    let tokens = revokes ? try tokensToRevoke(of: account, context) : []
                    var failure: AuthenticationFailure?
                    do {
                        try forget(account, wipesAccount: wipesAccount)
                    } catch let error as AuthenticationFailure {
                        // The tokens are gone then, and nobody can revoke them later.
                        guard case .machine(.externalAccounts) = error else { throw error }
                        failure = error
                    }
                    let wiped = Result(catching: {
                        guard wipesEverything else { return }
                        try TokenAgreements(documents: OwnDocuments(dependencies)).forget(clientID: nil)
                        try context.cache.wipe()
                    })
                    if revokes {
                        let outcome = await RevocationFlow(context: context).run(tokens)
                        report?(outcome)
                    }
                    if let failure { throw failure }
                    try wiped.get()
                    if let identifier = account.identifier {
                        try await BrokerFlow(context: context).remove(identifier, correlationID)
                    }
                    if closesSession { try await logout.run() }
                    return true
                }
            } catch {
                log(correlationID).serverText(of: error)
                let error = MSALAuthenticationError(translating: error, correlationID: correlationID)
                log(correlationID).error("The sign-out failed: \(error: error)")
                throw error
            }
        }
    }

    private func tokensToRevoke(of account: MSALAccount, _ context: FlowContext) throws -> [RevocationRequest.Token] {
        try requireOwnAuthority(account)
        guard let identifier = account.identifier else { return [] }
        let environments = context.authorities.cachedEnvironments(of: settings.authority).inCache
        return try context.cached { try $0.credentials(of: identifier) }.tokensToRevoke(environments: environments)
    }

    /// Throws for an account of another authority, which must not receive this account's ID token.
    private func requireOwnAuthority(_ account: MSALAccount) throws {
        guard !isOfAuthority(account) else { return }
        throw AuthenticationFailure.caller(
            .accountOfAnotherAuthority(environment: account.environment, host: settings.authority.environment))
    }
}
