import Foundation

/// The issuer of an authority. Microsoft Entra ID writes `{tenantid}` in place of the user's tenant.
package struct IssuerTemplate: Sendable, Hashable {
    package static let placeholder = "{tenantid}"

    package let text: String

    package init(_ text: String) { self.text = text }

    package var isTemplated: Bool { text.contains(Self.placeholder) }

    /// Returns the issuer of a tenant's tokens, or `nil` when the tenant is missing or invalid.
    package func issuer(tenantID: String?) -> String? {
        guard isTemplated else { return text }
        guard let tenantID, Self.isPlain(tenantID) else { return nil }
        return text.replacing(Self.placeholder, with: tenantID)
    }

    /// Whether an issuer matches, for any tenant.
    package func matches(_ issuer: String) -> Bool {
        guard let hole = text.firstRange(of: Self.placeholder) else { return issuer == text }
        let prefix = text[..<hole.lowerBound]
        let suffix = text[hole.upperBound...]
        guard issuer.utf8.count > prefix.utf8.count + suffix.utf8.count, issuer.hasPrefix(prefix),
            issuer.hasSuffix(suffix)
        else { return false }
        return Self.isPlain(issuer.dropFirst(prefix.count).dropLast(suffix.count))
    }

    /// Letters, digits, hyphens and dots, so that a tenant can't change other parts of the URL.
    private static func isPlain(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetter || $0.isDigit || "-.".utf8.contains($0) }
    }
}

extension URL {
    /// The issuer if the URL is that of a discovery document (OpenID Connect Discovery §4, RFC 8414 §3), else the URL
    /// itself.
    package var issuerAddress: URL {
        let segments = pathSegments
        guard let place = segments.firstIndex(of: ".well-known"), place + 1 < segments.count,
            ["openid-configuration", "oauth-authorization-server"].contains(segments[place + 1]),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: false)
        else { return self }
        let path = (segments[..<place] + segments[(place + 2)...]).map { "/\($0)" }.joined()
        components.percentEncodedPath = path
        (components.percentEncodedQuery, components.percentEncodedFragment) = (nil, nil)
        return components.url ?? self
    }
}
