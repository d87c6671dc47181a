import Foundation

extension URL {
    /// The host in lower case, an IPv6 address without brackets. Empty without a host.
    package var lowercasedHost: String {
        let host = (host(percentEncoded: true) ?? "").lowercased()
        return host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }

    package var lowercasedScheme: String { (scheme ?? "").lowercased() }

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

    /// Whether who controls `other` controls this URL's host too: the same origin, or at https the same host name or one
    /// below it, which the owner of a name gives out (RFC 1034 §3.1). An IP address has no names below it.
    package func isControlled(by other: URL) -> Bool {
        if origin == other.origin { return true }
        guard [self, other].allSatisfy({ $0.lowercasedScheme == "https" && !$0.isLoopback }) else { return false }
        let (own, above) = (lowercasedHost, other.lowercasedHost)
        let labels = above.split(separator: ".", omittingEmptySubsequences: false)
        let hasNamesBelow = labels.count > 1 && labels.last?.first?.isLetter == true && !above.contains(":")
        return own == above || (hasNamesBelow && own.hasSuffix(".\(above)"))
    }

    /// The segments of the path in one spelling (RFC 3986 §6.2.2), without the empty one after a slash at the end. `nil` if one
    /// is a dot segment, with which programs disagree about the path.
    package var plainSegments: [String]? {
        var segments = path(percentEncoded: true).split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            .map { $0.withoutNeedlessEncoding }
        if segments.last == "" { segments.removeLast() }
        return segments.contains(".") || segments.contains("..") ? nil : segments
    }

    /// Whether another URL is this one, or stands for more of its origin.
    package func isPart(of other: URL) -> Bool {
        guard other.origin == origin, let above = other.plainSegments, let path = plainSegments,
            path.starts(with: above)
        else { return false }
        // Where a server decodes these, the path can leave the other one.
        return !path.dropFirst(above.count).contains { ["%2F", "%5C", "\\"].contains(where: $0.contains) }
    }

    /// The percent-encoded segments of the path, without empty ones.
    package var pathSegments: [String] { path(percentEncoded: true).split(separator: "/").map(String.init) }
}

/// The hosts that always mean this computer: `localhost`, 127.0.0.0/8 and `::1` (RFC 8252 §7.3 and §8.3).
package enum Loopback {
    /// The hosts of a server that listens on 127.0.0.1 and ::1, as in a URL.
    package static let usualHosts = ["localhost", "127.0.0.1", "[::1]"]

    /// An IPv6 address may have brackets.
    package static func contains(_ host: some StringProtocol) -> Bool {
        let host = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(host) { return true }
        let octets = host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets[0] == "127"
            && octets.allSatisfy { $0.utf8.allSatisfy(\.isDigit) && UInt8($0) != nil }
    }
}

extension Substring {
    /// The text with encoded unreserved characters decoded, and the other encodings in capitals.
    fileprivate var withoutNeedlessEncoding: String {
        var pieces = split(separator: "%", omittingEmptySubsequences: false).makeIterator()
        var text = String(pieces.next() ?? "")
        while let piece = pieces.next() {
            let code = piece.prefix(2)
            let byte = code.utf8.count == 2 ? UInt8(code, radix: 16) : nil
            let plain = byte.flatMap { $0.isUnreserved ? String(Unicode.Scalar($0)) : nil }
            text += plain ?? "%\(code.uppercased())"
            text += piece.dropFirst(2)
        }
        return text
    }
}
