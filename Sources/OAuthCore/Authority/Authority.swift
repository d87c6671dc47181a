import Foundation

/// The kinds of authorities, as the configuration writes them.
package enum AuthorityKind: String, Sendable, CaseIterable {
    case aad, b2c, ciam, oidc

    /// What Microsoft calls its service.
    var title: String {
        switch self {
        case .aad: "Microsoft Entra ID"
        case .b2c: "Azure AD B2C"
        case .ciam: "Entra External ID"
        case .oidc: "OpenID provider"
        }
    }
}

/// Where people sign in, classified and in its normal form. ``AuthorityRules`` makes them.
package struct Authority: Sendable, Hashable {
    /// The kind, with what the address says of it.
    package enum Kind: Sendable, Hashable {
        /// Microsoft Entra ID: `https://host/<tenant>`.
        case aad(Tenant)
        /// Azure AD B2C. Without tenant and policy when the address does not have the `/tfp/` form (custom domains).
        case b2c(tenant: String?, policy: String?)
        /// Entra External ID: `https://<tenant>.ciamlogin.com/<tenant>`, or a custom domain.
        case ciam
        /// Any OpenID provider: its issuer address.
        case openID

        package var name: AuthorityKind {
            switch self {
            case .aad: .aad
            case .b2c: .b2c
            case .ciam: .ciam
            case .openID: .oidc
            }
        }
    }

    /// Whom an Entra authority signs in.
    package enum Tenant: Sendable, Hashable {
        case common
        case organizations
        case consumers
        /// A tenant's ID or one of its domains, lower-cased.
        case named(String)

        package init(_ text: String) {
            switch text.lowercased() {
            case "common": self = .common
            case "organizations": self = .organizations
            case "consumers": self = .consumers
            case let name: self = .named(name)
            }
        }

        /// The tenant that every personal account is in.
        package static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

        package var isTenanted: Bool {
            if case .named = self { return true }
            return false
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
    /// Scheme, host, port and the path that counts; no query, no fragment, no slash at the end.
    package let url: URL

    init(_ kind: Kind, _ url: URL) {
        self.kind = kind
        self.url = url
    }

    /// The host with its port when it has one: what instance discovery calls an environment.
    package var environment: String { Self.environment(of: url) }

    package static func environment(of url: URL) -> String {
        String(url.origin.drop { $0 != "/" }.dropFirst(2))
    }

    /// Whether it is one of Microsoft's kinds: it knows `client_info` and correlation IDs, and one refresh token of it is
    /// good for every resource. Plain OpenID providers may reject what they do not know, and hold a refresh token to the
    /// scopes it was granted with (RFC 6749 §6).
    package var speaksEntra: Bool { kind != .openID }

    package var tenant: Tenant? {
        guard case .aad(let tenant) = kind else { return nil }
        return tenant
    }
}

extension Authority {
    /// Where its OpenID configuration is. `networkEnvironment`: the host that instance discovery prefers, when known.
    package func metadataURL(networkEnvironment: String? = nil) -> URL {
        let base = on(environment: networkEnvironment).url
        switch kind {
        case .openID: return base.appending(segments: ".well-known/openid-configuration")
        case .aad, .b2c, .ciam: return base.appending(segments: "v2.0/.well-known/openid-configuration")
        }
    }

    /// The same authority under another of its names.
    package func on(environment: String?) -> Authority {
        guard let environment, let moved = URL(string: "\(url.lowercasedScheme)://\(environment)\(urlPath)") else {
            return self
        }
        return Authority(kind, moved)
    }

    /// Where Entra says which names an authority has, and whether it is one. `nil` for kinds that have no such place.
    ///
    /// A host that is known, that the developer vouches for or that is this computer answers for itself; any other is
    /// asked for at the public cloud.
    package func instanceDiscoveryURL(isDeveloperKnown: Bool = false) -> URL? {
        guard case .aad = kind else { return nil }
        let answersItself = isDeveloperKnown || url.isLoopback || MicrosoftHosts.signIn.contains(url.lowercasedHost)
        let origin = answersItself ? url.origin : "https://\(AuthorityRules.Cloud.publicCloud.rawValue)"
        let query: Parameters = [
            "api-version": "1.1",
            "authorization_endpoint": url.appending(segments: "oauth2/v2.0/authorize").absoluteString,
        ]
        return URL(string: "\(origin)/common/discovery/instance")?.addingQuery(query)
    }

    /// The authority that the tokens of a response belong to: that of the tenant that issued them.
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
        case .b2c, .openID: return self
        }
    }

    private func with(_ kind: Kind, path: [String]) -> Authority {
        // An ID of a token is data from outside: one that cannot stand in a path leaves the authority as it was.
        guard path.allSatisfy({ !$0.contains("/") && !$0.contains("?") && !$0.contains("#") }),
            let moved = URL(string: "\(url.origin)/\(path.joined(separator: "/"))")
        else { return self }
        return Authority(kind, moved)
    }

    private var urlPath: String { url.path(percentEncoded: true) }
}

extension URL {
    /// Adds path segments after the path that is there, with exactly one slash between.
    func appending(segments: String) -> URL {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return URL(string: "\(text)/\(segments)") ?? self
    }
}
