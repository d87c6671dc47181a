import Foundation

/// Classifies and normalises the URLs of authorities, with the kinds of MSAL.
package enum AuthorityRules {
    /// The sign-in host of each Azure cloud.
    package enum Cloud: String, Sendable, CaseIterable {
        case publicCloud = "login.microsoftonline.com"
        case china = "login.chinacloudapi.cn"
        case germany = "login.microsoftonline.de"
        case usGovernment = "login.microsoftonline.us"
        case france = "login.sovcloud-identity.fr"
        case delos = "login.sovcloud-identity.de"
        case singaporeGovernment = "login.sovcloud-identity.sg"
    }

    /// The public cloud, for any work, school or personal account.
    package static let common: Authority = {
        var components = URLComponents()
        components.scheme = "https"
        components.host = Cloud.publicCloud.rawValue
        components.path = "/common"
        return Authority(.aad(.common), components.url ?? URL(fileURLWithPath: "/common"))
    }()

    /// Classifies a URL: B2C by `/tfp/`, AD FS by `/adfs`, External ID by its host, else Microsoft Entra ID.
    package static func classify(_ url: URL) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        if isB2CPath(url.pathSegments) { return try b2c(url) }
        if isADFS(url) { throw .adfsUnsupported }
        if url.microsoftService == .ciam { return try ciam(url, validatesFormat: true) }
        return try aad(url)
    }

    /// Creates an authority of Microsoft Entra ID. `rawTenant` replaces the tenant in the URL.
    package static func aad(_ url: URL, rawTenant: String? = nil) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        let segments = url.pathSegments
        if isADFS(url) { throw .notEntra(looksLike: "AD FS") }
        if segments.first?.lowercased() == "tfp" { throw .notEntra(looksLike: AuthorityKind.b2c.title) }
        if url.microsoftService == .ciam { throw .notEntra(looksLike: AuthorityKind.ciam.title) }
        guard let tenant = rawTenant ?? segments.first, !tenant.isEmpty else { throw .noTenant }
        guard isTenant(tenant) else { throw .badTenant(tenant) }
        return Authority(.aad(.init(tenant)), try normal(url, [tenant]))
    }

    /// Creates a B2C authority. The path of a custom domain is kept, because it may have any form.
    package static func b2c(_ url: URL) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        let segments = withoutVersion(url.pathSegments)
        guard isB2CPath(segments) else {
            return Authority(.b2c(tenant: nil, policy: nil), try normal(url, segments))
        }
        return Authority(.b2c(tenant: segments[1], policy: segments[2]), try normal(url, Array(segments.prefix(3))))
    }

    /// Creates an External ID authority. With `validatesFormat` the host must be under ciamlogin.com; otherwise any
    /// host can be a tenant's custom domain.
    package static func ciam(
        _ url: URL, validatesFormat: Bool = false
    ) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        let host = url.lowercasedHost
        let isCIAM = url.microsoftService == .ciam
        if validatesFormat, !isCIAM { throw .notCIAMHost(host) }
        guard host.contains(".") || url.isLoopback else { throw .notCIAMHost(host) }
        var segments = withoutVersion(url.pathSegments)
        if validatesFormat { segments = Array(segments.prefix(1)) }
        if segments.isEmpty, isCIAM, let tenant = host.split(separator: ".").first {
            segments = ["\(tenant).onmicrosoft.com"]
        }
        return Authority(.ciam, try normal(url, segments))
    }

    /// Creates the authority of an OpenID provider from its issuer.
    package static func openID(_ url: URL) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        return Authority(.openID, try normal(url, url.pathSegments))
    }

    /// Creates the authority of a server without OpenID Connect.
    package static func oauth(_ url: URL, _ server: OAuthServer = OAuthServer()) throws(AuthorityRejection) -> Authority
    {
        let url = try checked(url)
        let server = server.completed(at: url)
        for address in server.addresses {
            guard address.isSecureEndpoint, address.lowercasedScheme == "https" || url.lowercasedScheme == "http" else {
                throw .insecure(scheme: address.lowercasedScheme, host: address.lowercasedHost)
            }
        }
        return Authority(.oauth(server), try normal(url, url.pathSegments))
    }

    private static func isB2CPath(_ segments: [String]) -> Bool {
        segments.count >= 3 && segments[0].lowercased() == "tfp"
    }

    private static func isADFS(_ url: URL) -> Bool { url.pathSegments.first?.lowercased() == "adfs" }

    /// Whether a text is a tenant ID, a domain, or a name such as `common`.
    private static func isTenant(_ text: String) -> Bool {
        let isMadeOfNames = text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "-_.".utf8.contains($0) }
        return isMadeOfNames && text.utf8.count <= 255 && text != "." && text != ".."
    }

    /// The path without the version, which the discovery URL adds.
    private static func withoutVersion(_ segments: [String]) -> [String] {
        segments.last?.lowercased() == "v2.0" ? segments.dropLast() : segments
    }

    /// Checks that the URL is valid and secure. Replaces the URL of a discovery document by its issuer.
    private static func checked(_ url: URL) throws(AuthorityRejection) -> URL {
        guard !url.absoluteString.trimmed.isEmpty else { throw .blank }
        guard !url.lowercasedScheme.isEmpty, hasHost(url) else { throw .notAnAddress }
        if let port = url.absoluteString.impossiblePort { throw .impossiblePort(port) }
        guard url.user() == nil, url.password() == nil else { throw .namesAUser }
        guard url.isSecureEndpoint else {
            throw .insecure(scheme: url.lowercasedScheme, host: url.lowercasedHost)
        }
        return url.issuerAddress
    }

    /// Whether the URL has a valid host. `URL` accepts any text in brackets as an IPv6 address, and names with empty
    /// labels.
    private static func hasHost(_ url: URL) -> Bool {
        let host = url.lowercasedHost
        if url.absoluteString.contains("//[") { return host.contains(":") }
        return !host.isEmpty && !host.hasPrefix(".") && !host.contains("..")
    }

    private static func normal(_ url: URL, _ segments: [String]) throws(AuthorityRejection) -> URL {
        let text = segments.reduce(url.origin) { "\($0)/\($1)" }
        guard let normal = URL(string: text) else { throw .notAnAddress }
        return normal
    }
}
