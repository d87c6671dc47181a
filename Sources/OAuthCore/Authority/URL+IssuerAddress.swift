import Foundation

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
