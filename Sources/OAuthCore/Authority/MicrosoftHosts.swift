import Foundation

/// Microsoft's sign-in hosts.
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
    /// The Microsoft service at the host, or `nil`.
    package var microsoftService: AuthorityKind? { MicrosoftHosts.service(at: lowercasedHost) }
}
