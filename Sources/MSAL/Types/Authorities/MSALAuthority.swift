import Foundation
import OAuthCore

/// An authority that signs users in (MSAL for iOS and macOS, `MSALAuthority`).
///
/// `MSALAuthority(url:)` creates the subclass that matches the URL.
open class MSALAuthority: NSObject, NSCopying, MSALAuthorityByAddress {
    package let value: Authority

    /// The normalised URL, without its query and insignificant path components.
    open var url: URL { value.url }

    init(value: Authority) { self.value = value }

    /// Returns an authority of the subclass that matches the URL.
    open class func authority(for url: URL) throws -> MSALAuthority {
        .of(try make(url, AuthorityRules.classify(url)))
    }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    open override func isEqual(_ object: Any?) -> Bool { (object as? MSALAuthority)?.value == value }

    open override var hash: Int { value.hashValue }

    package static func of(_ value: Authority) -> MSALAuthority {
        switch value.kind {
        case .aad: MSALAADAuthority(value: value)
        case .b2c: MSALB2CAuthority(value: value)
        case .ciam: MSALCIAMAuthority(value: value)
        case .openID: MSALOIDCAuthority(value: value)
        case .oauth: MSALOAuthAuthority(value: value)
        }
    }

    /// The public cloud, for any work, school or personal account. The default of MSAL for iOS and macOS.
    static var common: MSALAuthority { .of(AuthorityRules.common) }

    static func make(_ url: URL, _ rule: @autoclosure () throws -> Authority) throws -> Authority {
        do { return try rule() } catch let rejection as AuthorityRejection {
            throw MSALAuthenticationError(.caller(.authority(url.absoluteString, rejection)))
        }
    }
}

/// Lets `MSALAuthority(url:)` return a subclass, as in MSAL for iOS and macOS. In Swift only an initialiser in a
/// protocol extension can do so.
public protocol MSALAuthorityByAddress {
    /// Returns an authority of the subclass that matches the URL.
    static func authority(for url: URL) throws -> MSALAuthority
}

extension MSALAuthorityByAddress {
    /// Creates an authority of the subclass that matches the URL.
    public init(url: URL) throws {
        guard let authority = try Self.authority(for: url) as? Self else {
            throw MSALAuthenticationError(.invalid("\(url.absoluteString) is another kind of authority."))
        }
        self = authority
    }
}

/// An AD FS server (MSAL for iOS and macOS, `MSALADFSAuthority`). Unsupported, as in MSAL for iOS and macOS.
open class MSALADFSAuthority: MSALAuthority {
    /// Always throws.
    public init(url: URL) throws {
        throw MSALAuthenticationError(.caller(.authority(url.absoluteString, .adfsUnsupported)))
    }
}

/// Any OpenID provider, identified by its issuer. Not in MSAL for iOS and macOS.
open class MSALOIDCAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates the authority of an OpenID provider. Throws when the URL can't be an issuer.
    public init(url: URL) throws { super.init(value: try Self.make(url, AuthorityRules.openID(url))) }
}

/// Azure AD B2C (MSAL for iOS and macOS, `MSALB2CAuthority`).
open class MSALB2CAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates an authority of Azure AD B2C. Throws for the URL of any other kind.
    public init(url: URL) throws { super.init(value: try Self.make(url, AuthorityRules.b2c(url))) }
}

/// Microsoft Entra ID (MSAL for iOS and macOS, `MSALAADAuthority`).
open class MSALAADAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates an authority of Microsoft Entra ID. Throws for the URL of any other kind.
    public convenience init(url: URL) throws { try self.init(url: url, rawTenant: nil) }

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
        else { throw MSALAuthenticationError(.invalid("\"\(environment)\" is not a host name.")) }
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

/// Microsoft Entra External ID (MSAL for iOS and macOS, `MSALCIAMAuthority`).
open class MSALCIAMAuthority: MSALAuthority {
    override init(value: Authority) { super.init(value: value) }

    /// Creates an authority of Microsoft Entra External ID. Throws for the URL of any other kind.
    public convenience init(url: URL) throws { try self.init(url: url, validateFormat: false) }

    /// Creates an authority of Microsoft Entra External ID. With `validateFormat`, the host must be under
    /// ciamlogin.com; otherwise it can be a tenant's own domain.
    public init(url: URL, validateFormat: Bool) throws {
        super.init(value: try Self.make(url, AuthorityRules.ciam(url, validatesFormat: validateFormat)))
    }
}

/// An authorization server without OpenID Connect, such as GitHub. Not in MSAL for iOS and macOS.
///
/// It issues no ID tokens, so nothing proves who the user is. The account is named by `account`, else by the server's userinfo
/// endpoint.
open class MSALOAuthAuthority: MSALAuthority {
    /// The addresses of a server that publishes no metadata (RFC 8414).
    public struct Endpoints: Sendable, Hashable {
        /// The authorization endpoint (RFC 6749 §3.1).
        public var authorization: URL
        /// The token endpoint (RFC 6749 §3.2).
        public var token: URL
        /// The device authorization endpoint (RFC 8628 §3.1), or `nil` without one.
        public var deviceAuthorization: URL?
        /// The revocation endpoint (RFC 7009 §2), or `nil` without one.
        public var revocation: URL?

        /// - Parameters:
        ///   - authorization: the authorization endpoint (RFC 6749 §3.1).
        ///   - token: the token endpoint (RFC 6749 §3.2).
        ///   - deviceAuthorization: the device authorization endpoint (RFC 8628 §3.1), if the server has one.
        ///   - revocation: the revocation endpoint (RFC 7009 §2), if the server has one.
        public init(authorization: URL, token: URL, deviceAuthorization: URL? = nil, revocation: URL? = nil) {
            (self.authorization, self.token) = (authorization, token)
            (self.deviceAuthorization, self.revocation) = (deviceAuthorization, revocation)
        }
    }

    /// Where a GET request with an access token returns a JSON object that names the token's owner.
    public struct AccountSource: Sendable, Hashable {
        /// The URL of the JSON object.
        public var url: URL
        /// The member with the username, such as `login`.
        public var member: String

        /// - Parameters:
        ///   - url: the URL of the JSON object.
        ///   - member: its member with the username.
        public init(url: URL, member: String) {
            self.url = url
            self.member = member
        }
    }

    override init(value: Authority) { super.init(value: value) }

    /// Creates the authority of a server. Throws for a URL that isn't https or on this computer.
    ///
    /// - Parameters:
    ///   - url: the issuer, or the URL of its metadata; for a server without metadata, any URL that names it.
    ///   - endpoints: the endpoints, or `nil` for those of the metadata. Those of https://github.com are known.
    ///   - account: what names the user, or `nil` for the userinfo endpoint.
    public init(url: URL, endpoints: Endpoints? = nil, account: AccountSource? = nil) throws {
        let server = OAuthServer(
            endpoints: endpoints.map {
                .init(
                    authorization: $0.authorization, token: $0.token, device: $0.deviceAuthorization,
                    revocation: $0.revocation)
            },
            account: account.map { .init(address: $0.url, member: $0.member) })
        super.init(value: try Self.make(url, AuthorityRules.oauth(url, server)))
    }
}
