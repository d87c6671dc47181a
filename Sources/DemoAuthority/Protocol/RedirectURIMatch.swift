import Foundation
import OAuthCore

/// Compares a redirect URI with a client's registered ones.
enum RedirectURIMatch {
    /// Whether the URIs are equal (RFC 9700 §4.1.3); for loopback, the port can differ (RFC 8252 §7.3).
    static func isRegistered(_ uri: String, for registered: [String]) -> Bool {
        guard uri.utf8.count <= 2048, uri.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !uri.contains("#") else {
            return false
        }
        return registered.contains { $0 == uri || isSameLoopback($0, uri) }
    }

    private static func isSameLoopback(_ registered: String, _ uri: String) -> Bool {
        guard let known = URLComponents(string: registered), let requested = URLComponents(string: uri),
            let knownHost = host(of: known), Loopback.contains(knownHost), known.scheme == "http",
            requested.scheme == "http", host(of: requested) == knownHost,
            requested.user == nil, requested.password == nil, requested.percentEncodedQuery == known.percentEncodedQuery
        else { return false }
        return rootIfEmpty(known.percentEncodedPath) == rootIfEmpty(requested.percentEncodedPath)
    }

    private static func rootIfEmpty(_ path: String) -> String { path.isEmpty ? "/" : path }

    /// The host as in the URL, an IPv6 literal in brackets.
    private static func host(of url: URLComponents) -> String? {
        url.percentEncodedHost.map { $0.contains(":") && !$0.hasPrefix("[") ? "[\($0)]" : $0 }
    }

    /// The URI with `/` for an empty path, as browsers request it.
    static func withPath(_ uri: String) -> String {
        guard var parts = URLComponents(string: uri), parts.scheme == "http" || parts.scheme == "https",
            parts.percentEncodedPath.isEmpty
        else { return uri }
        parts.percentEncodedPath = "/"
        return parts.string ?? uri
    }

    /// The form target as a Content-Security-Policy source. Custom schemes and IPv6 literals, which the policy doesn't
    /// support, are reduced to their scheme.
    static func policySource(of uri: String) -> String {
        guard let parts = URLComponents(string: uri), let scheme = parts.scheme else { return "'self'" }
        guard scheme == "http" || scheme == "https", let host = host(of: parts), !host.hasPrefix("[") else {
            return "\(scheme):"
        }
        return "\(scheme)://\(host)\(parts.port.map { ":\($0)" } ?? "")"
    }
}
