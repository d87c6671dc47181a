import Console
import Foundation

extension AuthorityKind {
    /// The kind of the authorities that a provider has.
    package init(_ provider: ProviderKind) {
        switch provider {
        case .entra, .microsoftAccounts: self = .aad
        case .b2c: self = .b2c
        case .externalID: self = .ciam
        case .google, .openID: self = .oidc
        }
    }
}

extension ProviderKind {
    /// Whose a profile's authority is. `nil` when its address alone says so: then the address may change to any other.
    init?(named profile: Profile) {
        guard profile.authorityType != .auto else { return nil }
        self.init(at: profile.authority, profile.authorityType)
    }
}

extension ProviderKind {
    /// The provider behind an authority; `nil` when its path alone says the kind.
    init?(at authority: URL, _ type: AuthorityType) {
        switch AuthorityKind(type, for: authority) {
        case .byPath: return nil
        case .aad: self = .entra
        case .b2c: self = .b2c
        case .ciam: self = .externalID
        case .oidc: self = authority.host == "accounts.google.com" ? .google : .openID
        }
    }
}

extension AuthorityType {
    /// What has to stand beside an address so that it is read as the provider's; `nil` when the address says it by itself.
    package init?(_ provider: ProviderKind, at address: String) {
        let wanted = AuthorityKind(provider)
        guard let url = URL(string: address) else { return nil }
        let found = AuthorityKind(.auto, for: url)
        guard found != wanted, found != .byPath else { return nil }
        switch wanted {
        case .byPath: return nil
        case .aad: self = .aad
        case .b2c: self = .b2c
        case .ciam: self = .ciam
        case .oidc: self = .oidc
        }
    }
}
