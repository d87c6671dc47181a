import Console
import Diagnosis
import Foundation
import OAuthCore

extension AuthorityKind {
    /// The kind of a URL by the first rule that matches; `nil` to leave it to the library.
    /// 1. The path starts with `/tfp/` or `/adfs`: `nil`.
    /// 2. The host is under `b2clogin.com`: B2C.
    /// 3. The host's second label is `ciamlogin`: an external tenant.
    /// 4. The host is one of Microsoft's clouds: Entra.
    /// 5. Otherwise: an OpenID provider. The library's rules would take it for Entra by its path.
    package init?(of url: URL) {
        let firstSegment = url.path.split(separator: "/").first?.lowercased()
        if firstSegment == "tfp" || firstSegment == "adfs" { return nil }
        self = url.microsoftService ?? .oidc
    }

    /// The authorityType that a provider's URL needs; `nil` if the URL is enough.
    package init?(_ provider: ProviderKind, at address: String) {
        guard let found = URL(string: address).flatMap(AuthorityKind.init(of:)), found != provider.authorityKind else {
            return nil
        }
        self = provider.authorityKind
    }
}

extension Profile {
    /// The kind of the profile's authority: its authorityType, or the kind of its URL.
    package var authorityKind: AuthorityKind? { authorityType ?? AuthorityKind(of: authority) }
}

extension ProviderKind {
    /// The provider by the profile's authorityType; `nil` without one, because the URL can then change freely.
    init?(named profile: Profile) {
        guard profile.authorityType != nil else { return nil }
        self.init(of: profile)
    }

    /// The provider of the profile's authority; `nil` if only its path determines the kind.
    init?(of profile: Profile) {
        switch profile.authorityKind {
        case nil: return nil
        case .aad: self = .entra
        case .b2c: self = .b2c
        case .ciam: self = .externalID
        case .oauth: self = .oauth
        case .oidc: self = profile.authority.host == "accounts.google.com" ? .google : .openID
        }
    }
}
