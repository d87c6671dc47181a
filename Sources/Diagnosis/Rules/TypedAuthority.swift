import Foundation
import OAuthCore

/// The same for the program, which shows and stores it.
package typealias AuthorityKind = OAuthCore.AuthorityKind

/// An authority as a user types or pastes it, completed to its address.
package struct TypedAuthority: Sendable, Equatable {
    private let text: String

    package init(_ text: String) { self.text = text.trimmingCharacters(in: .whitespacesAndNewlines) }

    /// Whether it is on this computer.
    package var isThisComputer: Bool { URL(string: text).map(\.isLoopback) ?? false }

    /// The address that is meant at a provider. A domain is completed to the tenant or the host that it names, and the
    /// address of a metadata document becomes its issuer's. Any other text is returned as it is.
    package func address(at provider: AuthorityKind?) -> String {
        let address = text.contains("://") ? text : completed(at: provider)
        guard let url = URL(string: address), url.issuerAddress != url else { return address }
        return url.issuerAddress.absoluteString
    }

    private func completed(at provider: AuthorityKind?) -> String {
        guard !text.isEmpty, !text.contains(where: { $0 == "@" || $0.isWhitespace }) else { return text }
        if let here = URL(string: "http://\(text)"), here.isLoopback { return "http://\(text)" }
        // Foundation takes no address with an impossible port.
        if text.impossiblePort != nil, Loopback.contains(text.prefix { $0 != ":" }) { return "http://\(text)" }
        let host = text.lowercased().prefix { $0 != "/" && $0 != ":" }
        let isAlone = text.dropFirst(host.count).allSatisfy { $0 == "/" }
        if isAlone, let address = tenantAddress(String(host), at: provider) { return address }
        return host.contains(".") ? "https://\(text)" : text
    }

    /// The address of a tenant at Microsoft, for a name that is no host of Microsoft's itself.
    private func tenantAddress(_ name: String, at provider: AuthorityKind?) -> String? {
        guard MicrosoftHosts.service(at: name) == nil else { return nil }
        switch provider {
        case .aad:
            let isTenant = name.contains(".") || UUID(uuidString: name) != nil || Authority.Tenant(name).isCommon
            return isTenant ? "https://\(AuthorityRules.Cloud.publicCloud.rawValue)/\(name)" : nil
        case .ciam:
            guard name.hasSuffix(".onmicrosoft.com"), let tenant = name.split(separator: ".").first else { return nil }
            return "https://\(tenant)\(MicrosoftHosts.externalIDDomain)"
        case .b2c, .oidc, nil: return nil
        }
    }
}

extension Authority.Tenant {
    fileprivate var isCommon: Bool { !isTenanted }
}
