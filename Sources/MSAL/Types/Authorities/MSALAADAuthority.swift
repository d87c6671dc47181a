import Foundation
import OAuthCore

/// Microsoft Entra ID (MSAL for iOS and macOS, `MSALAADAuthority`).
open class MSALAADAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates an authority of Microsoft Entra ID. Throws for the URL of any other kind.
    public convenience init(url: URL) throws {
        try self.init(url: url, rawTenant: nil)
    }

    /// Creates an authority of Microsoft Entra ID. `rawTenant` replaces the tenant in the URL.
    public init(url: URL, rawTenant: String?) throws {
        super.init(value: try Self.make(url, AuthorityRules.aad(url, rawTenant: rawTenant)))
    }

    /// Creates the authority of a cloud for an audience. `rawTenant` is required for the single-tenant audience and
    /// rejected for the others.
    public convenience init(
        cloudInstance: MSALAzureCloudInstance, audienceType: MSALAudienceType, rawTenant: String?
    ) throws {
        try self.init(environment: cloudInstance.environment, audienceType: audienceType, rawTenant: rawTenant)
    }

    /// Creates the authority of the cloud at a host, such as `login.microsoftonline.com`, for an audience.
    public convenience init(environment: String, audienceType: MSALAudienceType, rawTenant: String?) throws {
        let tenant = try audienceType.tenant(rawTenant)
        guard let url = URL(string: "https://\(environment)/\(tenant)"),
            url.hostAndPort == environment.lowercased()
        else {
            throw MSALAuthenticationError(.invalid("\"\(environment)\" is not a host name."))
        }
        try self.init(url: url, rawTenant: tenant)
    }
}

extension MSALAudienceType {
    fileprivate func tenant(_ rawTenant: String?) throws -> String {
        switch (self, rawTenant) {
        case (.azureADMyOrgOnlyAudience, let tenant?) where !tenant.isEmpty: return tenant
        case (.azureADMyOrgOnlyAudience, _):
            throw MSALAuthenticationError(.invalid("A single-tenant audience needs a tenant."))
        case (.azureADAndPersonalMicrosoftAccountAudience, nil): return Authority.Tenant.common.text
        case (.azureADMultipleOrgsAudience, nil): return Authority.Tenant.organizations.text
        case (.personalMicrosoftAccountAudience, nil): return Authority.Tenant.consumers.text
        case (_, let tenant?):
            throw MSALAuthenticationError(.invalid("The tenant \"\(tenant)\" needs the single-tenant audience."))
        }
    }
}
