import AuthEngine

extension AccountSummary {
    init(_ account: MSALAccount) {
        let profiles = account.tenantProfiles ?? []
        let home = profiles.first(where: \.isHomeTenantProfile)
        let names = ([account.accountClaims] + profiles.map(\.claims)).compactMap { $0?["name"] as? String }
        self.init(
            identifier: account.identifier ?? account.username ?? "",
            name: names.first,
            username: account.username ?? "",
            tenant: account.homeAccountId?.tenantId ?? home?.tenantId,
            environment: account.environment,
            tenantProfiles: profiles.map {
                TenantProfileSummary(tenant: $0.tenantId ?? "", isHome: $0.isHomeTenantProfile)
            })
    }
}
