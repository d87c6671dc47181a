/// One tenant of the directory: an organisation, or the home of all personal accounts.
package struct Tenant: Sendable, Equatable {
    /// The tenant where personal accounts live has this identifier everywhere; clients tell them apart by it.
    package static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// A lower-case GUID: the `tid` claim and the tenant's part of the issuer.
    package var id: String
    package var name: String
    /// Other names the first path segment may have for this tenant, lower-case.
    package var domains: [String]

    package var isForPersonalAccounts: Bool { id == Self.personalAccountsID }
}

/// What the first path segment of an endpoint asks for: one tenant, or any of several.
package enum TenantSelector: Sendable, Equatable {
    /// `common`: whoever lives in the directory.
    case anyone
    /// `organizations`: whoever has a work or school account.
    case workOrSchool
    case one(Tenant)

    /// The segment under which the selector's endpoints are published.
    package var segment: String {
        switch self {
        case .anyone: "common"
        case .workOrSchool: "organizations"
        case .one(let tenant): tenant.isForPersonalAccounts ? "consumers" : tenant.id
        }
    }

    /// The segment of the issuer as the discovery document gives it: for several tenants, the template that Entra uses.
    package var issuerSegment: String {
        switch self {
        case .anyone, .workOrSchool: "{tenantid}"
        case .one(let tenant): tenant.id
        }
    }

    package var displayName: String {
        switch self {
        case .anyone: "your account"
        case .workOrSchool: "your work or school account"
        case .one(let tenant): tenant.name
        }
    }
}
