import Foundation

/// An account as shown. The identifier is opaque; only the library interprets it.
package struct AccountSummary: Sendable, Equatable {
    package var identifier: String
    package var name: String?
    package var username: String
    package var tenant: String?
    package var environment: String
    package var tenantProfiles: [TenantProfileSummary]
    /// The state of its cached token; nil if unknown.
    package var token: TokenState?
    /// When the sign-in ends at the latest, if the authority says so: no refresh works after that.
    package var signInExpiry: Date?
    /// Whether the account signed in to another application of the same family.
    package var isFromOtherApplication = false
    /// The authority of an account that doesn't belong to the profile's authority.
    package var otherAuthority: String?

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

    /// The account's name in sentences.
    package var displayName: String { username.isEmpty ? name ?? identifier : username }

    /// The state of the token in a few words, as in the list of accounts.
    package func tokenWord(by now: Date) -> String { token(at: now)?.word(by: now) ?? "" }

    /// The state of the token. After the end of the sign-in, no refresh works.
    func token(at now: Date?) -> TokenState? {
        guard let now, let end = signInExpiry, end <= now else { return token }
        return token?.withoutRefresh
    }

    /// When the sign-in ends, in a few words; empty if the authority doesn't say.
    package func signInExpiryWord(by now: Date?) -> String {
        guard let end = signInExpiry, let now else { return "" }
        return end <= now ? "ended" : Moment.relative(end, to: now)
    }

    /// The tenants where the account is a guest.
    var guestTenants: [String] { tenantProfiles.filter { !$0.isHome }.map(\.tenant) }

    /// Visits the texts that a filter searches: all that the list shows.
    func visitSearchTexts(_ visit: (String) -> Void) {
        if let name { visit(name) }
        visit(username)
        if let tenant { visit(tenant) }
        visit(environment)
        if let otherAuthority { visit(otherAuthority) }
        for profile in tenantProfiles where !profile.isHome { visit(profile.tenant) }
    }
}

extension AccountSummary {
    /// What to say when the default account is removed (docs/decisions/0045-default-account.md).
    package static let staysDefault = "It was the default account, and is again once it has signed in."
}

/// The account's profile in a tenant.
package struct TenantProfileSummary: Sendable, Equatable {
    package var tenant: String
    package var isHome: Bool

    package init(tenant: String, isHome: Bool) {
        self.tenant = tenant
        self.isHome = isHome
    }
}
