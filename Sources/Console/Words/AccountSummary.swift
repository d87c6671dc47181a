/// An account as the screens need it. The identifier is opaque: it is kept to name the account to the library, never read.
package struct AccountSummary: Sendable, Equatable {
    package var identifier: String
    package var name: String?
    package var username: String
    package var tenant: String?
    package var environment: String
    package var tenantProfiles: [TenantProfileSummary]
    /// What the cache has for it; nil: that is not known.
    package var token: TokenState?
    /// It signed in to another application of the family, which this one may use.
    package var isFromOtherApplication = false

    package init(
        identifier: String, name: String? = nil, username: String, tenant: String? = nil, environment: String,
        tenantProfiles: [TenantProfileSummary] = []
    ) {
        self.identifier = identifier
        self.name = name
        self.username = username
        self.tenant = tenant
        self.environment = environment
        self.tenantProfiles = tenantProfiles
    }

    /// What to call the account in a sentence.
    package var displayName: String { username.isEmpty ? name ?? identifier : username }

    /// Where it is a guest.
    var guestTenants: [String] { tenantProfiles.filter { !$0.isHome }.map(\.tenant) }

    /// What a filter looks into: all that the list shows of the account.
    func visitSearchTexts(_ visit: (String) -> Void) {
        if let name { visit(name) }
        visit(username)
        if let tenant { visit(tenant) }
        visit(environment)
        for profile in tenantProfiles where !profile.isHome { visit(profile.tenant) }
    }
}

/// The account in one tenant.
package struct TenantProfileSummary: Sendable, Equatable {
    package var tenant: String
    package var isHome: Bool

    package init(tenant: String, isHome: Bool) {
        self.tenant = tenant
        self.isHome = isHome
    }
}
