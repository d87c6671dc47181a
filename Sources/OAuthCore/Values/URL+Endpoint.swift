import Foundation

extension URL {
    /// The host in lower case, an IPv6 address without brackets. Empty without a host.
    package var lowercasedHost: String {
        let host = (host(percentEncoded: true) ?? "").lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    package var lowercasedScheme: String { (scheme ?? "").lowercased() }

    /// Whether the host is one of ``Loopback``.
    package var isLoopback: Bool { Loopback.contains(lowercasedHost) }

    /// Whether secrets may be sent to the URL: https, or http on this computer.
    package var isSecureEndpoint: Bool {
        guard !lowercasedHost.isEmpty, user() == nil, password() == nil else { return false }
        return lowercasedScheme == "https" || (lowercasedScheme == "http" && isLoopback)
    }

    /// `scheme://host[:port]` in lower case, without a default port (RFC 3986 §6.2.3).
    package var origin: String { "\(lowercasedScheme)://\(hostAndPort)" }

    /// `host[:port]` in lower case, without a default port.
    package var hostAndPort: String {
        let host = lowercasedHost.contains(":") ? "[\(lowercasedHost)]" : lowercasedHost
        let usual = ["https": 443, "http": 80][lowercasedScheme]
        return host + (port.flatMap { $0 == usual ? nil : ":\($0)" } ?? "")
    }

    /// The percent-encoded segments of the path, without empty ones.
    package var pathSegments: [String] {
        path(percentEncoded: true).split(separator: "/").map(String.init)
    }
}

/// The hosts that always mean this computer: `localhost`, 127.0.0.0/8 and `::1` (RFC 8252 §7.3 and §8.3).
package enum Loopback {
    /// The hosts of a server that listens on 127.0.0.1 and ::1, as in a URL.
    package static let usualHosts = ["localhost", "127.0.0.1", "[::1]"]

    /// Whether a host is loopback. An IPv6 address may have brackets.
    package static func contains(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127" && octets.allSatisfy(isOctet)
    }

    private static func isOctet(_ text: Substring) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && UInt8(text) != nil
    }
}
