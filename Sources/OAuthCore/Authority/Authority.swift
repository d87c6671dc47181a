import Foundation

/// The kinds of authority, with their names in the configuration.
package enum AuthorityKind: String, Sendable, CaseIterable {
    case aad, b2c, ciam, oidc, oauth

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

    package enum Tenant: Sendable, Hashable {
        case common
        case organizations
        case consumers
        /// A tenant ID or domain, in lower case.
        case named(String)

        package init(_ text: String) {
            let name = text.lowercased()
            self = [.common, .organizations, .consumers].first { $0.text == name } ?? .named(name)
        }

        /// The tenant of all personal accounts.
        package static let personalAccountsID = "9188040d-6c67-4c5b-b112-36a304b66dad"

        package var isTenanted: Bool { if case .named = self { true } else { false } }

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

    init(_ kind: Kind, _ url: URL) { (self.kind, self.url) = (kind, url) }

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

    package var oauthServer: OAuthServer? { if case .oauth(let server) = kind { server } else { nil } }

    package var tenant: Tenant? { if case .aad(let tenant) = kind { tenant } else { nil } }
}

extension Authority {
    /// The URL of the discovery document. `networkEnvironment`: the host that instance discovery prefers, if known.
    package func metadataURL(networkEnvironment: String? = nil) -> URL {
        let version = speaksEntra ? "v2.0/" : ""
        return on(environment: networkEnvironment).url.appending(segments: "\(version).well-known/openid-configuration")
    }

    /// The URLs of an authorization server's metadata, in the order to try them: with the well-known path inserted before
    /// the issuer's path (RFC 8414 §3.1 and §5), then appended (OpenID Connect Discovery §4).
    package var authorizationServerMetadataURLs: [URL] {
        let path = url.pathSegments.map { "/\($0)" }.joined()
        let inserted = ["oauth-authorization-server", "openid-configuration"].map { "/.well-known/\($0)\(path)" }
        let appended = path.isEmpty ? [] : ["\(path)/.well-known/openid-configuration"]
        return (inserted + appended).compactMap { URL(string: url.origin + $0) }
    }

    package func on(environment: String?) -> Authority {
        let path = url.path(percentEncoded: true)
        return environment.flatMap { URL(string: "\(url.lowercasedScheme)://\($0)\(path)") }.map { Authority(kind, $0) }
            ?? self
    }

    /// The URL for instance discovery, or `nil` for kinds without it. A known host, one that the developer trusts and this computer
    /// serve it themselves; for others, the public cloud does.
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
}

extension URL {
    /// Appends path segments with exactly one slash between.
    func appending(segments: String) -> URL {
        var text = absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        return URL(string: "\(text)/\(segments)") ?? self
    }
}

/// What is known, besides its URL, about an authorization server without OpenID Connect. It issues no ID tokens, so the
/// account is named by a request with the access token.
package struct OAuthServer: Sendable, Hashable {
    package struct Endpoints: Sendable, Hashable {
        package var authorization: URL
        package var token: URL
        package var device: URL?
        package var revocation: URL?

        package init(authorization: URL, token: URL, device: URL? = nil, revocation: URL? = nil) {
            (self.authorization, self.token, self.device, self.revocation) = (authorization, token, device, revocation)
        }
    }

    /// Where the server describes the owner of an access token, and the member of the JSON object with the username.
    package struct Account: Sendable, Hashable {
        package var address: URL
        package var member: String

        package init(address: URL, member: String) {
            (self.address, self.member) = (address, member)
        }
    }

    /// The endpoints, or `nil` to read them in the server's metadata (RFC 8414).
    package var endpoints: Endpoints?
    package var account: Account?

    package init(endpoints: Endpoints? = nil, account: Account? = nil) {
        (self.endpoints, self.account) = (endpoints, account)
    }

    var addresses: [URL] {
        [endpoints?.authorization, endpoints?.token, endpoints?.device, endpoints?.revocation, account?.address]
            .compactMap(\.self)
    }

    /// Adds what is known about a server that has no metadata (docs/configuration.md).
    func completed(at url: URL) -> OAuthServer {
        guard endpoints == nil, url.origin == "https://github.com" else { return self }
        func address(_ text: String) -> URL { URL(string: text) ?? url }
        return OAuthServer(
            endpoints: Endpoints(
                authorization: address("https://github.com/login/oauth/authorize"),
                token: address("https://github.com/login/oauth/access_token"),
                device: address("https://github.com/login/device/code")),
            account: account ?? Account(address: address("https://api.github.com/user"), member: "login"))
    }
}

/// The issuer of an authority. Microsoft Entra ID writes `{tenantid}` in place of the user's tenant.
package struct IssuerTemplate: Sendable, Hashable {
    package static let placeholder = "{tenantid}"

    package let text: String

    package init(_ text: String) { self.text = text }

    package var isTemplated: Bool { text.contains(Self.placeholder) }

    /// `nil` when the tenant is missing or invalid.
    package func issuer(tenantID: String?) -> String? {
        guard isTemplated else { return text }
        guard let tenantID, Self.isPlain(tenantID) else { return nil }
        return text.replacing(Self.placeholder, with: tenantID)
    }

    package func matches(_ issuer: String) -> Bool {
        guard let hole = text.firstRange(of: Self.placeholder) else { return issuer == text }
        let prefix = text[..<hole.lowerBound]
        let suffix = text[hole.upperBound...]
        guard issuer.utf8.count > prefix.utf8.count + suffix.utf8.count, issuer.hasPrefix(prefix),
            issuer.hasSuffix(suffix)
        else { return false }
        return Self.isPlain(issuer.dropFirst(prefix.count).dropLast(suffix.count))
    }

    /// Letters, digits, hyphens and dots, so that a tenant can't change other parts of the URL.
    private static func isPlain(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "-.".utf8.contains($0) }
    }
}

extension URL {
    /// The issuer of a discovery document's URL (OpenID Connect Discovery §4, RFC 8414 §3); another URL itself.
    package var issuerAddress: URL {
        let segments = pathSegments
        guard let place = segments.firstIndex(of: ".well-known"), place + 1 < segments.count,
            ["openid-configuration", "oauth-authorization-server"].contains(segments[place + 1]),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        else { return self }
        components.percentEncodedPath = (segments[..<place] + segments[(place + 2)...]).map { "/\($0)" }.joined()
        (components.percentEncodedQuery, components.percentEncodedFragment) = (nil, nil)
        return components.url ?? self
    }
}
