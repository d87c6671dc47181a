import Foundation

extension URL {
    /// The host, lower-cased, an IPv6 address without its brackets. Empty when there is none.
    package var lowercasedHost: String {
        let host = (host(percentEncoded: true) ?? "").lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    package var lowercasedScheme: String { (scheme ?? "").lowercased() }

    /// Whether the host is one of ``Loopback``.
    package var isLoopback: Bool { Loopback.contains(lowercasedHost) }

    /// Whether secrets may be sent there: https, or http that never leaves this computer.
    package var isSecureEndpoint: Bool {
        guard !lowercasedHost.isEmpty, user() == nil, password() == nil else { return false }
        return lowercasedScheme == "https" || (lowercasedScheme == "http" && isLoopback)
    }

    /// `scheme://host[:port]`, lower-cased.
    package var origin: String {
        let host = lowercasedHost.contains(":") ? "[\(lowercasedHost)]" : lowercasedHost
        return "\(lowercasedScheme)://\(host)\(port.map { ":\($0)" } ?? "")"
    }

    /// The path between its slashes, percent-encoded, empty segments dropped.
    package var pathSegments: [String] {
        path(percentEncoded: true).split(separator: "/").map(String.init)
    }
}
