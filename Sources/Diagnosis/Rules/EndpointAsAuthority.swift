import Foundation
import MSAL
import OAuthCore

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
    /// The finding about an authority that is the URL of an endpoint; `nil` for any other URL.
    package static func endpointAsAuthority(_ url: URL) -> CheckFinding? {
        guard let authority = url.authorityOfEndpoint else { return nil }
        // MSAL reads only the tenant from Microsoft's URLs. Other libraries fail.
        return CheckFinding(
            "Authority", url.microsoftService == nil ? .failed : .warning,
            "\(Privacy.url(url.absoluteString)) is the URL of an endpoint, not of the authority.",
            fix: "Write \(Privacy.url(authority.absoluteString)) as the authority.")
    }
}
