import Console
import Diagnosis
import Foundation
import OAuthCore

extension AuthorityKind {
    /// The kind that an address has by these rules, the first that fits; `nil` where the library's own rules read it.
    /// 1. a path that begins with `/tfp/` (B2C) or `/adfs` says it itself: `nil`;
    /// 2. a host under `b2clogin.com` is B2C;
    /// 3. a host whose second label is `ciamlogin` is an external tenant;
    /// 4. a host of Microsoft's clouds is Entra;
    /// 5. anything else is an OpenID provider: what the library's own rules would take for Entra by its path alone.
    package init?(of url: URL) {
        let firstSegment = url.path.split(separator: "/").first?.lowercased()
        if firstSegment == "tfp" || firstSegment == "adfs" { return nil }
        self = url.microsoftService ?? .oidc
    }

    /// What has to stand beside an address so that it is read as the provider's; `nil` when the address says it by itself.
    package init?(_ provider: ProviderKind, at address: String) {
        guard let found = URL(string: address).flatMap(AuthorityKind.init(of:)), found != provider.authorityKind else {
            return nil
        }
        self = provider.authorityKind
    }
}

extension Profile {
    /// Which of the library's authority classes the address becomes. A type that the profile names is taken at its word.
    package var authorityKind: AuthorityKind? { authorityType ?? AuthorityKind(of: authority) }
}

extension ProviderKind {
    /// Whose a profile's authority is. `nil` when its address alone says so: then the address may change to any other.
    init?(named profile: Profile) {
        guard profile.authorityType != nil else { return nil }
        self.init(of: profile)
    }

    /// The provider behind a profile's authority; `nil` when its path alone says the kind.
    init?(of profile: Profile) {
        switch profile.authorityKind {
        case nil: return nil
        case .aad: self = .entra
        case .b2c: self = .b2c
        case .ciam: self = .externalID
        case .oidc: self = profile.authority.host == "accounts.google.com" ? .google : .openID
        }
    }
}
