import Console
import Diagnosis
import Foundation
import OAuthCore

extension AuthorityKind {
    /// The kind of a URL; `nil` to leave `/tfp/` and `/adfs` to the library. Azure AD B2C, external tenants and Microsoft's
    /// clouds have hosts of their own. All others are OpenID providers, which the library's rules would take for Entra.
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

/// Reads the URL of an authority. Accepts the URL of a metadata document for its issuer.
package enum AuthorityURL {
    package struct Mistake: Error, Sendable, Equatable {
        package var problem: String
        package var remedy: String
    }

    package static func read(_ text: String) throws(Mistake) -> URL {
        if let port = text.impossiblePort {
            throw Mistake(
                problem: "\"\(text)\" has the invalid port \(port)", remedy: "Use a port from 1 to 65535, or none")
        }
        guard let url = URL(string: text), let host = url.host, !host.isEmpty else {
            throw Mistake(
                problem: "\"\(text)\" is not a URL",
                remedy: "Enter the whole URL, for example https://login.example.org/tenant")
        }
        let scheme = url.lowercasedScheme
        guard scheme == "https" || (scheme == "http" && url.isLoopback) else {
            throw Mistake(
                problem: "\"\(text)\" is not encrypted",
                remedy: scheme == "http" ? "Use https: http works only on this computer" : "Use https")
        }
        // Schemes ignore case (RFC 3986 §3.1).
        return (URL(string: scheme + text.dropFirst(scheme.count)) ?? url).issuerAddress
    }
}
