import Foundation

/// Which of the library's authority classes a profile's address becomes.
package enum AuthorityKind: Sendable, Equatable, CaseIterable {
    /// The address says it by its path: the library's own rules read it.
    case byPath
    case aad, b2c, ciam, oidc

    /// A type that the profile names is taken at its word. `auto` goes by these rules, the first that fits:
    /// 1. a path that begins with `/tfp/` (B2C) or `/adfs` says it itself;
    /// 2. a host under `b2clogin.com` is B2C;
    /// 3. a host whose second label is `ciamlogin` is an external tenant;
    /// 4. a host of Microsoft's clouds is Entra (msal-behaviours §2);
    /// 5. anything else is an OpenID provider: what the library's own rules would take for Entra by its path alone.
    package init(_ type: AuthorityType, for url: URL) {
        switch type {
        case .auto: self = Self.detect(url)
        case .aad: self = .aad
        case .b2c: self = .b2c
        case .ciam: self = .ciam
        case .oidc: self = .oidc
        }
    }

    private static func detect(_ url: URL) -> AuthorityKind {
        let host = (url.host ?? "").lowercased()
        let labels = host.split(separator: ".")
        let firstSegment = url.path.split(separator: "/").first?.lowercased()
        if firstSegment == "tfp" || firstSegment == "adfs" { return .byPath }
        if host.hasSuffix(".b2clogin.com") { return .b2c }
        if labels.count > 2, labels[1] == "ciamlogin" { return .ciam }
        return microsoftHosts.contains(host) ? .aad : .oidc
    }

    private static let microsoftHosts: Set<String> = [
        "login.microsoftonline.com", "login.windows.net", "login-us.microsoftonline.com", "login.microsoftonline.us",
        "login.usgovcloudapi.net", "login.chinacloudapi.cn", "login.partner.microsoftonline.cn",
        "login.microsoftonline.de", "login.sovcloud-identity.fr", "login.sovcloud-identity.de",
        "login.sovcloud-identity.sg",
    ]
}
