import Foundation

/// Whether the issuer in a document matches the requested authority (OpenID Connect Discovery §4.3, RFC 8414 §3.3).
///
/// Without this check a document could claim any issuer and supply keys for it.
package enum IssuerJudgement: Sendable, Equatable {
    case accepted(IssuerTemplate)
    /// `expected` describes the right issuer in words or as a URL.
    case mismatch(expected: String, found: String)
}

extension OpenIDConfiguration {
    /// Compares the issuer with an authority. `aliases`: the authority's other hosts from instance discovery.
    package func judgeIssuer(for authority: Authority, aliases: Set<String> = []) -> IssuerJudgement {
        let isRight =
            switch authority.kind {
            case .openID, .oauth: authority.possibleIssuers.contains(issuer)
            case .aad(let tenant): isAtSameCloud(authority, aliases) && isFor(tenant)
            case .b2c: isAtSameCloud(authority, aliases)
            case .ciam: isAtSameCloud(authority, aliases) || isAtTenantHost(of: authority)
            }
        return isRight ? .accepted(issuer) : .mismatch(expected: expectation(for: authority), found: issuer.text)
    }

    private func expectation(for authority: Authority) -> String {
        switch authority.kind {
        case .openID, .oauth: authority.url.absoluteString
        case .aad(.named(let tenant)) where Self.isGUID(tenant): "\(authority.url.origin)/\(tenant)/v2.0"
        case .aad, .b2c, .ciam: "an issuer at \(authority.url.origin)"
        }
    }

    private var issuerURL: URL? { URL(string: issuer.text.replacing(IssuerTemplate.placeholder, with: "tenantid")) }

    private func isAtSameCloud(_ authority: Authority, _ aliases: Set<String>) -> Bool {
        guard let issuerURL, issuerURL.lowercasedScheme == authority.url.lowercasedScheme else { return false }
        let environment = issuerURL.hostAndPort
        if environment == authority.environment || aliases.contains(environment) { return true }
        // Microsoft's own hosts are equivalent.
        let own = MicrosoftHosts.signIn.union([MicrosoftHosts.versionOneIssuer])
        return own.contains(environment) && MicrosoftHosts.signIn.contains(authority.environment)
    }

    /// Whether the issuer belongs to the tenant. An authority with a tenant ID requires that tenant; personal accounts
    /// have one too.
    private func isFor(_ tenant: Authority.Tenant) -> Bool {
        guard let segment = issuerURL?.pathSegments.first?.lowercased() else { return false }
        switch tenant {
        case .common, .organizations: return issuer.isTemplated || Self.isGUID(segment)
        case .consumers: return segment == Authority.Tenant.personalAccountsID
        case .named(let name): return Self.isGUID(name) ? segment == name : !issuer.isTemplated
        }
    }

    /// Whether the issuer has the form `https://<tenant ID>.ciamlogin.com/<tenant ID>/…`, which External ID uses for
    /// each of a tenant's hosts.
    private func isAtTenantHost(of authority: Authority) -> Bool {
        guard let issuerURL, issuerURL.lowercasedScheme == "https", let tenant = issuerURL.pathSegments.first else {
            return false
        }
        return issuerURL.lowercasedHost == "\(tenant.lowercased()).ciamlogin.com" && issuerURL.port == nil
    }

    private static func isGUID(_ text: String) -> Bool { UUID(uuidString: text) != nil }
}

extension Authority {
    /// The issuers that an OpenID provider with this URL may state: with or without a trailing slash and the default port.
    package var possibleIssuers: Set<IssuerTemplate> {
        let text = url.absoluteString
        let bare = text.hasSuffix("/") ? String(text.dropLast()) : text
        var spellings = [bare]
        if url.port == nil, let usual = ["https": 443, "http": 80][url.lowercasedScheme], bare.hasPrefix(url.origin) {
            spellings.append("\(url.origin):\(usual)\(bare.dropFirst(url.origin.count))")
        }
        return Set(spellings.flatMap { [IssuerTemplate($0), IssuerTemplate("\($0)/")] })
    }
}
