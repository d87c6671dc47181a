import MSAL

extension Acquisition {
    /// Throws if the tokens could not be cached: the program reads them from the cache, so it couldn't use them.
    init(cached result: MSALResult) throws {
        if let error = result.cachingError { throw error }
        self.init(result)
    }

    /// Copies what can be shown from a result, without the tokens.
    init(_ result: MSALResult) {
        self.init(
            account: AccountSummary(result.account), authority: result.authority.url.absoluteString,
            scopes: result.scopes, expiresOn: result.expiresOn, isFromCache: result.isFromCache,
            correlationID: result.correlationId.uuidString, idToken: ClaimsContent(result.idToken ?? ""),
            accessToken: ClaimsContent(result.accessToken), verdicts: result.idTokenVerdicts)
    }
}

extension ClaimsContent {
    package init(_ token: String) {
        let decoded = MSALDecodedToken(token).map(ClaimsContent.decoded)
        self = token.isEmpty ? .absent : decoded ?? .opaque(length: token.count)
    }
}

extension AccountSummary {
    /// - Parameter tokens: the cached tokens by account; nil if they weren't read.
    package init(_ account: MSALAccount, tokens: [String: MSALCachedTokens]? = nil) {
        let profiles = account.tenantProfiles ?? []
        let home = profiles.first(where: \.isHomeTenantProfile)
        self.init(
            identifier: account.identifier ?? account.username ?? "", name: account.name,
            username: account.username ?? "", tenant: account.homeAccountId?.tenantId ?? home?.tenantId,
            environment: account.environment,
            tenantProfiles: profiles.map {
                TenantProfileSummary(tenant: $0.tenantId ?? "", isHome: $0.isHomeTenantProfile)
            })
        guard let tokens else { return }
        let held = account.identifier.flatMap { tokens[$0] }
        token = held.map(AccessState.init) ?? AccessState.none
        (signedInOn, signInExpiry) = (held?.signedInOn, held?.signInExpiry)
        isFromOtherApplication = held?.isFromOtherApplication ?? false
    }
}

extension AccessState {
    fileprivate init(_ tokens: MSALCachedTokens) {
        self =
            tokens.lastsUntilRejected
            ? .lasting
            : tokens.expiresOn.map { .held(until: $0, canRefresh: tokens.canRefresh) }
                ?? (tokens.canRefresh ? .refreshable : .none)
    }
}

extension SignInRequest {
    /// Fills in the parameters, except the account, whose lookup may take a while.
    /// - Throws: the library's error for an invalid tenant or claims request.
    func fill(_ parameters: MSALTokenParameters, for application: MSALPublicClientApplication) throws {
        parameters.authority = try tenant.map {
            try MSALAADAuthority(url: application.configuration.authority.url, rawTenant: $0)
        }
        parameters.claimsRequest = try claims.map { try MSALClaimsRequest(jsonString: $0) }
    }

    func fill(_ parameters: MSALInteractiveTokenParameters) {
        (parameters.promptType, parameters.loginHint, parameters.domainHint) = (prompt, loginHint, domainHint)
    }
}
