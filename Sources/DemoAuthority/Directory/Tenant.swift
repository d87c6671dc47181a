package struct Tenant: Sendable, Equatable {
    package static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

    /// A lower-case GUID: the `tid` claim and part of the issuer.
    package var id: String
    package var name: String
    /// The tenant's other names in URLs, in lower case.
    package var domains: [String]
    /// The user flows of an Azure AD B2C tenant, in lower case.
    package var policies: [String] = []
}

/// The tenants that an endpoint's path allows: one, or any of several.
package enum TenantSelector: Sendable, Equatable {
    /// `common`: every account in the directory.
    case anyone
    /// `organizations`: work and school accounts.
    case workOrSchool
    case one(Tenant)
    /// A user flow of an Azure AD B2C tenant.
    case policy(Tenant, name: String)

    package var segment: String {
        switch self {
        case .anyone: "common"
        case .workOrSchool: "organizations"
        case .one(let tenant): tenant.id == Tenant.personalAccountsID ? "consumers" : tenant.id
        case .policy(let tenant, let name): "tfp/\(tenant.id)/\(name)"
        }
    }

    /// The issuer's path segment in the metadata. For a multi-tenant selector, Entra's template.
    package var issuerSegment: String {
        switch self {
        case .anyone, .workOrSchool: "{tenantid}"
        case .one(let tenant): tenant.id
        case .policy: segment
        }
    }

    package var tenant: Tenant? {
        switch self {
        case .anyone, .workOrSchool: nil
        case .one(let tenant), .policy(let tenant, _): tenant
        }
    }

    package var policy: String? { if case .policy(_, let name) = self { name } else { nil } }

    package var displayName: String {
        switch self {
        case .anyone: "your account"
        case .workOrSchool: "your work or school account"
        case .one(let tenant) where tenant.id == Tenant.personalAccountsID: "your personal account"
        case .one(let tenant), .policy(let tenant, _): tenant.name
        }
    }
}
