import Foundation
import OAuthCore

/// Which of the library's authority classes a profile's address becomes.
package enum AuthorityKind: Sendable, Equatable, CaseIterable {
    /// The address says it by its path: the library's own rules read it.
    case byPath
    case aad, b2c, ciam, oidc

    /// A type that the profile names is taken at its word. `auto` goes by these rules, the first that fits:
    /// 1. a path that begins with `/tfp/` (B2C) or `/adfs` says it itself;
    /// 2. a host under `b2clogin.com` is B2C;
    /// 3. a host whose second label is `ciamlogin` is an external tenant;
    /// 4. a host of Microsoft's clouds is Entra;
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
        let firstSegment = url.path.split(separator: "/").first?.lowercased()
        if firstSegment == "tfp" || firstSegment == "adfs" { return .byPath }
        switch url.microsoftService {
        case .entra: return .aad
        case .b2c: return .b2c
        case .externalID: return .ciam
        case nil: return .oidc
        }
    }
}
