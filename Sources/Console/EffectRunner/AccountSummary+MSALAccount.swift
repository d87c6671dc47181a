import AuthEngine

extension AccountSummary {
    /// - Parameter tokens: the cached tokens by account; nil if they weren't read.
    init(_ account: MSALAccount, tokens: [String: MSALCachedTokens]? = nil) {
        let profiles = account.tenantProfiles ?? []
        let home = profiles.first(where: \.isHomeTenantProfile)
        self.init(
            identifier: account.identifier ?? account.username ?? "",
            name: account.name,
            username: account.username ?? "",
            tenant: account.homeAccountId?.tenantId ?? home?.tenantId,
            environment: account.environment,
            tenantProfiles: profiles.map {
                TenantProfileSummary(tenant: $0.tenantId ?? "", isHome: $0.isHomeTenantProfile)
            })
        guard let tokens else { return }
        let held = account.identifier.flatMap { tokens[$0] }
        token = held.map(TokenState.init) ?? TokenState.none
        isFromOtherApplication = held?.isFromOtherApplication ?? false
    }
}

extension TokenState {
    fileprivate init(_ tokens: MSALCachedTokens) {
        self =
            tokens.expiresOn.map { .held(until: $0, canRenew: tokens.canRenew) }
            ?? (tokens.canRenew ? .renewable : .none)
    }
}
