import Foundation
import OAuthCore

/// A loopback redirect URI (RFC 8252 §7.3), and the requests that match it.
struct LoopbackAddress: Equatable {
    /// The configured host, an IPv6 address with brackets.
    let host: String
    /// The port, or 0 for any.
    let port: UInt16
    /// The percent-encoded path, or empty.
    let path: String
    let query: String?

    init(_ redirectURI: URL) throws(RedirectReceiverFailure) {
        guard let components = URLComponents(url: redirectURI, resolvingAgainstBaseURL: false),
            components.scheme?.lowercased() == "http", let host = components.encodedHost?.lowercased(),
            Loopback.contains(host), components.user == nil, components.password == nil,
            components.fragment == nil, let port = UInt16(exactly: components.port ?? 0)
        else {
            throw RedirectReceiverFailure(
                reason: "Only http://localhost, http://[::1] and http://127.0.0.1 (or another address of 127.0.0.0/8) "
                    + "are loopback redirect URIs. A port and a path are optional.")
        }
        self.host = host
        self.port = port
        path = components.percentEncodedPath
        query = components.percentEncodedQuery
    }

    /// The address to listen on, or `nil` for both 127.0.0.1 and ::1.
    var ownAddress: String? { Loopback.usualHosts.contains(host) ? nil : host }

    /// The redirect URI with the actual port, for the authorization request (RFC 8252 §7.3).
    func redirectURI(boundTo port: UInt16) throws(RedirectReceiverFailure) -> URL {
        let text = "http://\(host):\(port)\(path)\(query.map { "?\($0)" } ?? "")"
        guard let url = URL(string: text) else { throw RedirectReceiverFailure(reason: "\(text) is not a valid URL.") }
        return url
    }

    /// Whether the `Host` header names this computer. Prevents DNS rebinding, where another site's name resolves to
    /// 127.0.0.1.
    static func isOurs(_ request: HTTPRequest, port: UInt16) -> Bool {
        guard let said = request.headers["Host"]?.lowercased() else { return false }
        let suffix = ":\(port)"
        if said.hasSuffix(suffix), Loopback.contains(said.dropLast(suffix.count)) { return true }
        return port == 80 && Loopback.contains(said)
    }
}

extension URLComponents {
    fileprivate var encodedHost: String? {
        // Foundation versions differ in the brackets of IPv6 addresses.
        guard let host = percentEncodedHost else { return nil }
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
