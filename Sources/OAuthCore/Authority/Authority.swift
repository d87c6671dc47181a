import Foundation

/// The kinds of authority, with their names in the configuration.
package enum AuthorityKind: String, Sendable, CaseIterable {
    case aad, b2c, ciam, oidc, oauth

    /// The name of Microsoft's service.
    var title: String {
        switch self {
        case .aad: "Microsoft Entra ID"
        case .b2c: "Azure AD B2C"
        case .ciam: "Entra External ID"
        case .oidc: "OpenID provider"
        case .oauth: "OAuth server"
        }
    }
}

/// An authority with its kind and normalised URL, created by ``AuthorityRules``.
package struct Authority: Sendable, Hashable {
    /// The kind, with the parts of the URL that belong to it.
    package enum Kind: Sendable, Hashable {
        /// Microsoft Entra ID: `https://host/<tenant>`.
        case aad(Tenant)
        /// Azure AD B2C. A custom domain without `/tfp/` has neither tenant nor policy.
        case b2c(tenant: String?, policy: String?)
        /// Entra External ID: `https://<tenant>.ciamlogin.com/<tenant>`, or a custom domain.
        case ciam
        /// Any OpenID provider, by its issuer.
        case openID
        /// A server without OpenID Connect. Indirect, so that every other authority stays cheap to copy.
        indirect case oauth(OAuthServer)

        package var name: AuthorityKind {
            switch self {
            case .aad: .aad
            case .b2c: .b2c
            case .ciam: .ciam
            case .openID: .oidc
            case .oauth: .oauth
            }
        }
    }

    /// The users that an authority of Microsoft Entra ID signs in.
    package enum Tenant: Sendable, Hashable {
        case common
        case organizations
        case consumers
        /// A tenant ID or domain, in lower case.
        case named(String)

        package init(_ text: String) {
            switch text.lowercased() {
            case "common": self = .common
            case "organizations": self = .organizations
            case "consumers": self = .consumers
            case let name: self = .named(name)
            }
        }

        /// The tenant of all personal accounts.
        package static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

        package var isTenanted: Bool {
            if case .named = self { true } else { false }
        }

        package var text: String {
            switch self {
            case .common: "common"
            case .organizations: "organizations"
            case .consumers: "consumers"
            case .named(let name): name
            }
        }
    }

    package let kind: Kind
    /// Scheme, host, port and significant path, without query, fragment and trailing slash.
    package let url: URL

    init(_ kind: Kind, _ url: URL) {
        self.kind = kind
        self.url = url
    }

    /// The host, with the port if there is one. Instance discovery calls this an environment.
    package var environment: String { url.hostAndPort }

    /// Whether the authority is Microsoft's: it supports `client_info` and correlation IDs, and its refresh tokens work
    /// for every resource. Other OpenID providers may reject unknown parameters, and limit a refresh token to its
    /// granted scopes (RFC 6749 §6).
    package var speaksEntra: Bool {
        switch kind {
        case .aad, .b2c, .ciam: true
        case .openID, .oauth: false
        }
    }

    /// What is known about a server without OpenID Connect; `nil` for an authority that issues ID tokens.
    package var oauthServer: OAuthServer? {
        if case .oauth(let server) = kind { server } else { nil }
    }

    package var tenant: Tenant? {
        if case .aad(let tenant) = kind { tenant } else { nil }
    }
}

extension Authority {
    /// The URL of the discovery document. `networkEnvironment`: the host that instance discovery prefers, if known.
    package func metadataURL(networkEnvironment: String? = nil) -> URL {
        let base = on(environment: networkEnvironment).url
        switch kind {
        case .openID, .oauth: return base.appending(segments: ".well-known/openid-configuration")
        case .aad, .b2c, .ciam: return base.appending(segments: "v2.0/.well-known/openid-configuration")
        }
    }

    /// The URLs of an authorization server's metadata, in the order to try them: with the well-known path inserted before
    /// the issuer's path (RFC 8414 §3.1 and §5), then appended (OpenID Connect Discovery §4).
    package var authorizationServerMetadataURLs: [URL] {
        let path = url.pathSegments.map { "/\($0)" }.joined()
        let inserted = ["oauth-authorization-server", "openid-configuration"].map { "/.well-known/\($0)\(path)" }
        let appended = path.isEmpty ? [] : ["\(path)/.well-known/openid-configuration"]
        return (inserted + appended).compactMap { URL(string: url.origin + $0) }
    }

    /// The same authority under one of its aliases.
    package func on(environment: String?) -> Authority {
        guard let environment, let moved = URL(string: "\(url.lowercasedScheme)://\(environment)\(urlPath)") else {
            return self
        }
        return Authority(kind, moved)
    }

    /// The URL for instance discovery, or `nil` for kinds without it.
    ///
    /// A known host, one that the developer trusts and this computer serve it themselves; for others, the public cloud
    /// does.
    package func instanceDiscoveryURL(isDeveloperKnown: Bool = false) -> URL? {
        guard case .aad = kind else { return nil }
        let hasOwnMetadata = isDeveloperKnown || url.isLoopback || MicrosoftHosts.signIn.contains(url.lowercasedHost)
        let origin = hasOwnMetadata ? url.origin : "https://\(AuthorityRules.Cloud.publicCloud.rawValue)"
        let query: Parameters = [
            "api-version": "1.1",
            "authorization_endpoint": url.appending(segments: "oauth2/v2.0/authorize").absoluteString,
        ]
        return URL(string: "\(origin)/common/discovery/instance")?.addingQuery(query)
    }

    /// The authority of the tenant that issued a response.
    package func resulting(tenantID: String?, clientInfo: ClientInfo?) -> Authority {
        switch kind {
        case .aad:
            guard let tenantID, !tenantID.isEmpty else { return self }
            return with(.aad(Tenant(tenantID)), path: [tenantID])
        case .b2c(.some, let policy?):
            guard let utid = clientInfo?.utid else { return self }
            return with(.b2c(tenant: utid, policy: policy), path: ["tfp", utid, policy])
        case .ciam:
            guard let utid = clientInfo?.utid, url.microsoftService == .ciam else { return self }
            return with(.ciam, path: [utid])
        case .b2c, .openID, .oauth: return self
        }
    }

    private func with(_ kind: Kind, path: [String]) -> Authority {
        // A tenant ID from a token is untrusted. If it isn't a valid path segment, keep the authority unchanged.
        guard path.allSatisfy({ !$0.contains("/") && !$0.contains("?") && !$0.contains("#") }),
            let moved = URL(string: "\(url.origin)/\(path.joined(separator: "/"))")
        else { return self }
        return Authority(kind, moved)
    }

    private var urlPath: String { url.path(percentEncoded: true) }
}

extension URL {
    /// Appends path segments with exactly one slash between.
    func appending(segments: String) -> URL {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return URL(string: "\(text)/\(segments)") ?? self
    }
}
