import Foundation
import MSAL
import OAuthCore

/// The same for the program, which shows and stores it.
package typealias AuthorityKind = OAuthCore.AuthorityKind

package struct TypedAuthority: Sendable, Equatable {
    private let text: String

    package init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespacesAndNewlines) }

    package var isThisComputer: Bool { URL(string: text).map(\.isLoopback) ?? false }

    /// Completes a domain to a tenant or host, and replaces the URL of a metadata document with its issuer's.
    package func address(at provider: AuthorityKind?) -> String {
        let address = text.contains("://") ? text : completed(at: provider)
        guard let url = URL(string: address), url.issuerAddress != url else { return address }
        return url.issuerAddress.absoluteString
    }

    private func completed(at provider: AuthorityKind?) -> String {
        guard !text.isEmpty, !text.contains(where: { $0 == "@" || $0.isWhitespace }) else { return text }
        if let here = URL(string: "http://\(text)"), here.isLoopback { return "http://\(text)" }
        // Foundation rejects a URL with an invalid port.
        if text.impossiblePort != nil, Loopback.contains(text.prefix { $0 != ":" }) { return "http://\(text)" }
        let host = text.lowercased().prefix { $0 != "/" && $0 != ":" }
        let isAlone = text.dropFirst(host.count).allSatisfy { $0 == "/" }
        if isAlone, let address = tenantAddress(String(host), at: provider) { return address }
        return host.contains(".") ? "https://\(text)" : text
    }

    /// The URL of a Microsoft tenant, for a name other than a Microsoft host.
    private func tenantAddress(_ name: String, at provider: AuthorityKind?) -> String? {
        guard MicrosoftHosts.service(at: name) == nil else { return nil }
        switch provider {
        case .aad:
            let isTenant = name.contains(".") || UUID(uuidString: name) != nil || !Authority.Tenant(name).isTenanted
            return isTenant ? "https://\(AuthorityRules.Cloud.publicCloud.rawValue)/\(name)" : nil
        case .ciam:
            guard name.hasSuffix(".onmicrosoft.com"), let tenant = name.split(separator: ".").first else { return nil }
            return "https://\(tenant)\(MicrosoftHosts.externalIDDomain)"
        case .b2c, .oidc, .oauth, nil: return nil
        }
    }
}

extension URL {
    /// The authority, if the URL is that of one of its endpoints, by the paths of common providers.
    var authorityOfEndpoint: URL? {
        guard issuerAddress == self else { return issuerAddress }
        let segments = pathSegments
        let ending = Self.endings.first { ending in
            segments.count >= ending.count
                && zip(segments.suffix(ending.count), ending).allSatisfy { segment, names in
                    names.split(separator: " ").contains { $0 == segment.lowercased() }
                }
        }
        // The path of an authority can be /auth.
        guard let ending, var components = URLComponents(url: self, resolvingAgainstBaseURL: false),
            segments.count > 1 || segments.first?.lowercased() != "auth"
        else { return nil }
        components.percentEncodedPath = segments.dropLast(ending.count).map { "/\($0)" }.joined()
        (components.percentEncodedQuery, components.percentEncodedFragment) = (nil, nil)
        return components.url
    }

    /// What follows the authority's path, the longest first: the names of each segment.
    private static let endings: [[String]] = [
        ["o", "oauth2", "v2", "auth"], ["oauth2", "v2.0", endpoints], ["oauth2", "v1", endpoints],
        ["discovery", "v2.0", "keys"], ["protocol", "openid-connect", endpoints], ["oauth2", endpoints],
        ["oauth", endpoints], ["connect", endpoints], ["v1", endpoints],
        ["auth authorize authorization token devicecode device_authorization"],
    ]

    private static let endpoints =
        "auth authorize authorization token devicecode device device_authorization certs keys jwks userinfo logout "
        + "endsession introspect revoke"
}

extension CheckFinding {
    /// `nil` if it isn't the URL of an endpoint.
    package static func endpointAsAuthority(_ url: URL) -> CheckFinding? {
        guard let authority = url.authorityOfEndpoint else { return nil }
        // MSAL reads only the tenant from Microsoft's URLs. Other libraries fail.
        return CheckFinding(
            named: "authority-is-endpoint", Privacy.url(url.absoluteString), Privacy.url(authority.absoluteString),
            verdict: url.microsoftService == nil ? .failed : .warning)
    }
}
