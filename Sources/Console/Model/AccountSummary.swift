/// An account as the screens need it. The identifier is opaque: it is kept to name the account to the library, never read.
package struct AccountSummary: Sendable, Equatable {
    package var identifier: String
    package var name: String?
    package var username: String
    package var tenant: String?
    package var environment: String
    package var tenantProfiles: [TenantProfileSummary]

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

    /// True when `text` occurs in anything the list shows of the account.
    package func matches(_ text: String) -> Bool {
        let needle = text.lowercased()
        return [name ?? "", username, tenant ?? "", environment].contains { $0.lowercased().contains(needle) }
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
