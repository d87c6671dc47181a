import Foundation

/// The hosts at which Microsoft signs users in.
package enum MicrosoftHosts {
    /// The hosts of Entra ID in every cloud. Each answers for itself.
    package static let signIn = Set(AuthorityRules.Cloud.allCases.map(\.rawValue)).union([
        "login.windows.net", "login-us.microsoftonline.com", "login.usgovcloudapi.net",
        "login.partner.microsoftonline.cn",
    ])

    /// The issuer of version 1 tokens, which is no sign-in host.
    static let versionOneIssuer = "sts.windows.net"

    /// The domains under which each customer has a host.
    package static let customerDomains = [b2cDomain, externalIDDomain]
    package static let externalIDDomain = ".ciamlogin.com"
    private static let b2cDomain = ".b2clogin.com"

    /// The service behind a lower-cased host; `nil` for a host of another provider.
    package static func service(at host: String) -> AuthorityKind? {
        if signIn.contains(host) { return .aad }
        if host.hasSuffix(b2cDomain) { return .b2c }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 3 && labels[1] == "ciamlogin" ? .ciam : nil
    }
}

extension URL {
    /// The Microsoft service that the host belongs to.
    package var microsoftService: AuthorityKind? { MicrosoftHosts.service(at: lowercasedHost) }
}
