import AuthEngine
import Foundation
import OAuthCore

/// A redirect URI on this machine (RFC 8252 §7.3), and what a request must be to be its answer.
struct LoopbackAddress: Equatable {
    /// As configured, an IPv6 address in its brackets.
    let host: String
    /// 0: any.
    let port: UInt16
    /// Percent-encoded, empty when the URI has none.
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
                    + "can be listened on, each with or without a port and a path.")
        }
        self.host = host
        self.port = port
        path = components.percentEncodedPath
        query = components.percentEncodedQuery
    }

    /// The one address to listen on; `nil` for 127.0.0.1 and ::1 together, which every usual name means.
    var ownAddress: String? { Loopback.usualHosts.contains(host) ? nil : host }

    /// The redirect URI with the port that was bound; the authority must send the person to just this (RFC 8252 §7.3).
    func redirectURI(boundTo port: UInt16) throws(RedirectReceiverFailure) -> URL {
        let text = "http://\(host):\(port)\(path)\(query.map { "?\($0)" } ?? "")"
        guard let url = URL(string: text) else { throw RedirectReceiverFailure(reason: "\(text) is no address.") }
        return url
    }

    /// A request is for this machine only when it says so: a page elsewhere may have had its name resolved to 127.0.0.1.
    static func isOurs(_ request: HTTPRequest, port: UInt16) -> Bool {
        guard let said = request.headers["Host"]?.lowercased() else { return false }
        let suffix = ":\(port)"
        if said.hasSuffix(suffix), Loopback.contains(said.dropLast(suffix.count)) { return true }
        return port == 80 && Loopback.contains(said)
    }
}

extension URLComponents {
    fileprivate var encodedHost: String? {
        // The same on every Foundation: an IPv6 address in its brackets.
        guard let host = percentEncodedHost else { return nil }
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
