import Foundation
import OAuthCore

/// The same for the program, which shows and stores it.
package typealias AuthorityKind = OAuthCore.AuthorityKind

/// An authority as the user enters it, completed to a URL.
package struct TypedAuthority: Sendable, Equatable {
    private let text: String

    package init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Whether the authority is on this computer.
    package var isThisComputer: Bool { URL(string: text).map(\.isLoopback) ?? false }

    /// The URL at a provider. Completes a domain to a tenant or host, and replaces the URL of a metadata document with its
    /// issuer's. Returns any other text unchanged.
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
