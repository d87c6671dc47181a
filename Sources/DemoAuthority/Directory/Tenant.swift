/// One tenant of the directory: an organisation, or the home of all personal accounts.
package struct Tenant: Sendable, Equatable {
    /// The tenant where personal accounts live has this identifier everywhere; clients tell them apart by it.
    package static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// A lower-case GUID: the `tid` claim and the tenant's part of the issuer.
    package var id: String
    package var name: String
    /// Other names the first path segment may have for this tenant, lower-case.
    package var domains: [String]
    /// The user flows of a tenant of Azure AD B2C, lower-case: its people sign in by one of them.
    package var policies: [String] = []

    package var isForPersonalAccounts: Bool { id == Self.personalAccountsID }
}

/// What the first path segment of an endpoint asks for: one tenant, or any of several.
package enum TenantSelector: Sendable, Equatable {
    /// `common`: every account in the directory.
    case anyone
    /// `organizations`: work and school accounts.
    case workOrSchool
    case one(Tenant)
    /// A user flow of a tenant of Azure AD B2C.
    case policy(Tenant, name: String)

    /// The segment under which the selector's endpoints are published.
    package var segment: String {
        switch self {
        case .anyone: "common"
        case .workOrSchool: "organizations"
        case .one(let tenant): tenant.isForPersonalAccounts ? "consumers" : tenant.id
        case .policy(let tenant, let name): "tfp/\(tenant.id)/\(name)"
        }
    }

    /// The segment of the issuer as the discovery document gives it: for several tenants, the template that Entra uses.
    package var issuerSegment: String {
        switch self {
        case .anyone, .workOrSchool: "{tenantid}"
        case .one(let tenant): tenant.id
        case .policy: segment
        }
    }

    /// The only tenant it can end in.
    package var tenant: Tenant? {
        switch self {
        case .anyone, .workOrSchool: nil
        case .one(let tenant), .policy(let tenant, _): tenant
        }
    }

    package var policy: String? {
        guard case .policy(_, let name) = self else { return nil }
        return name
    }

    package var displayName: String {
        switch self {
        case .anyone: "your account"
        case .workOrSchool: "your work or school account"
        case .one(let tenant), .policy(let tenant, _): tenant.name
        }
    }
}
