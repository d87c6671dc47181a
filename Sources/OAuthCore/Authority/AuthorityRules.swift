import Foundation

/// Classifies and normalises the URLs of authorities, with the kinds of MSAL.
package enum AuthorityRules {
    package enum Cloud: String, Sendable, CaseIterable {
        case publicCloud = "login.microsoftonline.com"
        case china = "login.chinacloudapi.cn"
        case germany = "login.microsoftonline.de"
        case usGovernment = "login.microsoftonline.us"
        case france = "login.sovcloud-identity.fr"
        case delos = "login.sovcloud-identity.de"
        case singaporeGovernment = "login.sovcloud-identity.sg"
    }

    package static let common = Authority(
        .aad(.common), URL(string: "https://\(Cloud.publicCloud.rawValue)/common") ?? URL(fileURLWithPath: "/common"))

    /// Classifies a URL: B2C by `/tfp/`, AD FS by `/adfs`, External ID by its host, else Microsoft Entra ID.
    package static func classify(_ url: URL) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        if isB2CPath(url.pathSegments) { return try b2c(url) }
        if isADFS(url) { throw .adfsUnsupported }
        if url.microsoftService == .ciam { return try ciam(url, validatesFormat: true) }
        return try aad(url)
    }

    /// `rawTenant` replaces the tenant in the URL.
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

    /// The path of a custom domain is kept, because it may have any form.
    package static func b2c(_ url: URL) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        let segments = withoutVersion(url.pathSegments)
        guard isB2CPath(segments) else {
            return Authority(.b2c(tenant: nil, policy: nil), try normal(url, segments))
        }
        return Authority(.b2c(tenant: segments[1], policy: segments[2]), try normal(url, Array(segments.prefix(3))))
    }

    /// With `validatesFormat` the host must be under ciamlogin.com; otherwise any host can be a tenant's custom domain.
    package static func ciam(_ url: URL, validatesFormat: Bool = false) throws(AuthorityRejection) -> Authority {
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

    package static func openID(_ url: URL) throws(AuthorityRejection) -> Authority {
        let url = try checked(url)
        return Authority(.openID, try normal(url, url.pathSegments))
    }

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
        guard url.isSecureEndpoint else { throw .insecure(scheme: url.lowercasedScheme, host: url.lowercasedHost) }
        return url.issuerAddress
    }

    /// `URL` accepts any text in brackets as an IPv6 address, and names with empty labels.
    private static func hasHost(_ url: URL) -> Bool {
        let host = url.lowercasedHost
        if url.absoluteString.contains("//[") { return host.contains(":") }
        return !host.isEmpty && !host.hasPrefix(".") && !host.contains("..")
    }

    private static func normal(_ url: URL, _ segments: [String]) throws(AuthorityRejection) -> URL {
        guard let normal = URL(string: segments.reduce(url.origin) { "\($0)/\($1)" }) else { throw .notAnAddress }
        return normal
    }
}

package enum AuthorityRejection: Error, Sendable, Equatable {
    case blank
    case notAnAddress
    case insecure(scheme: String, host: String)
    case namesAUser
    case impossiblePort(String)
    case badTenant(String)
    case noTenant
    case adfsUnsupported
    case notEntra(looksLike: String)
    case notCIAMHost(String)

    package var reason: String {
        switch self {
        case .blank: "The authority is empty."
        case .notAnAddress: "The authority is not a URL with a scheme and a host."
        case .insecure("http", _): "The authority needs https: http works only on this computer."
        case .insecure(let scheme, _):
            "The authority's scheme is \"\(scheme)\", but tokens need https (http is allowed only on this computer)."
        case .namesAUser: "The authority contains a username or password."
        case .impossiblePort(let port): "The authority's port \"\(port)\" is not a number from 1 to 65535."
        case .badTenant(let tenant): "\"\(tenant.prefix(80))\" is not a tenant ID or domain name."
        case .noTenant: "The authority has no tenant in its path."
        case .adfsUnsupported: "AD FS authorities are not supported."
        case .notEntra(let found): "The authority is \(found), but \(AuthorityKind.aad.title) is expected."
        case .notCIAMHost(let host): "The authority's host \"\(host)\" is not of the form <tenant>.ciamlogin.com."
        }
    }

    package var nextStep: String {
        switch self {
        case .badTenant: "Use a tenant ID or domain name, or common, organizations or consumers."
        case .blank, .notAnAddress, .noTenant:
            "Use a URL such as https://login.microsoftonline.com/common, or another provider's issuer."
        case .insecure: "Use the https URL of the authority."
        case .impossiblePort: "Correct the port."
        case .namesAUser: "Remove the username and password from the URL."
        case .adfsUnsupported:
            "Use it as an OpenID provider (\"authorityType\": \"oidc\"), or sign in through the federated tenant of Entra."
        case .notEntra(let found): "Use the authority type for \(found), or correct the URL."
        case .notCIAMHost: "Use the tenant's ciamlogin.com URL, or allow a custom domain."
        }
    }
}

package enum MicrosoftHosts {
    /// The hosts of Microsoft Entra ID in every cloud. Each supports instance discovery.
    package static let signIn = Set(AuthorityRules.Cloud.allCases.map(\.rawValue)).union([
        "login.windows.net", "login-us.microsoftonline.com", "login.usgovcloudapi.net",
        "login.partner.microsoftonline.cn",
    ])

    /// The issuer of version 1 tokens, which isn't a sign-in host.
    static let versionOneIssuer = "sts.windows.net"

    /// The domains with one host per customer.
    package static let customerDomains = [b2cDomain, externalIDDomain]
    package static let externalIDDomain = ".ciamlogin.com"
    private static let b2cDomain = ".b2clogin.com"

    /// The service at a lower-case host, or `nil` for another provider.
    package static func service(at host: String) -> AuthorityKind? {
        if signIn.contains(host) { return .aad }
        if host.hasSuffix(b2cDomain) { return .b2c }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 3 && labels[1] == "ciamlogin" ? .ciam : nil
    }
}

extension URL {
    package var microsoftService: AuthorityKind? { MicrosoftHosts.service(at: lowercasedHost) }
}
