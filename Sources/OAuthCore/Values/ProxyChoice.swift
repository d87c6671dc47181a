import Foundation

/// The proxy that the environment names for https, by the variables that curl reads (curl(1), "ENVIRONMENT").
package struct ProxyChoice: Sendable, Equatable {
    package let variable: String
    /// Its URL as given, which can contain a password. Without a scheme, it means http.
    package let address: String
    private let exceptions: [Substring]

    package init?(in environment: [String: String]) {
        func value(_ names: String...) -> (name: String, value: String)? {
            names.lazy.compactMap { name in environment[name].flatMap { $0.isEmpty ? nil : (name, $0) } }.first
        }
        guard let proxy = value("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY") else { return nil }
        (variable, address) = proxy
        exceptions = (value("no_proxy", "NO_PROXY")?.value ?? "").lowercased().split { ", \t".contains($0) }
    }

    package var url: URL? {
        // As libcurl reads it, which accepts a scheme with one to three slashes.
        let scheme = address.firstMatch(of: #/^(?<name>[A-Za-z][A-Za-z0-9+.\-]*):\/{1,3}/#)
        let rest = scheme.map { address[$0.range.upperBound...] } ?? address[...]
        let url = URL(string: "\(scheme?.name ?? "http")://\(rest)")
        return url?.host()?.isEmpty == false ? url : nil
    }

    package var shown: String { url.map { $0.lowercasedHost + ($0.port.map { ":\($0)" } ?? "") } ?? "its URL" }

    package func serves(_ url: URL) -> Bool {
        !url.isLoopback && !exceptions.contains { Self.excepts($0, url) }
    }

    /// Whether an entry of `NO_PROXY` names the server: `host`, which includes its subdomains as `.host` does; `*.host`, the
    /// subdomains alone; a network such as `10.0.0.0/8`; each also with a port; or `*`.
    private static func excepts(_ entry: Substring, _ url: URL) -> Bool {
        let host = trimmed(url.lowercasedHost[...])
        let (name, port) = parts(of: entry)
        guard port == nil || port == url.port ?? 443 else { return false }
        if name == "*" { return true }
        if name.contains("/") { return IPNetwork(name)?.contains(String(host)) == true }
        if name.hasPrefix("*.") { return host.hasSuffix(name.dropFirst()) }
        let domain = trimmed(name.hasPrefix(".") ? name.dropFirst() : name)
        return !domain.isEmpty && (host == domain || host.hasSuffix(".\(domain)"))
    }

    /// Without the full stop of an absolute name.
    private static func trimmed(_ name: Substring) -> Substring { name.hasSuffix(".") ? name.dropLast() : name }

    /// The name without brackets, and the port. An IPv6 address without brackets has no port.
    private static func parts(of entry: Substring) -> (name: Substring, port: Int?) {
        if entry.hasPrefix("["), let end = entry.firstIndex(of: "]") {
            let rest = entry[entry.index(after: end)...]
            return (entry[..<end].dropFirst(), rest.hasPrefix(":") ? Int(rest.dropFirst()) : nil)
        }
        let pieces = entry.split(separator: ":", omittingEmptySubsequences: false)
        guard pieces.count == 2, let port = Int(pieces[1]) else { return (entry, nil) }
        return (pieces[0], port)
    }
}

/// A range of addresses such as `10.0.0.0/8` (RFC 4632 §3.1).
struct IPNetwork {
    private let bytes: [UInt8]
    private let bits: Int

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let bits = Int(parts[1]), let bytes = Self.bytes(String(parts[0])),
            (0...bytes.count * 8).contains(bits)
        else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    func contains(_ host: String) -> Bool {
        guard let other = Self.bytes(host), other.count == bytes.count else { return false }
        return (0..<bits).allSatisfy { bit in
            let mask: UInt8 = 0x80 >> UInt8(bit % 8)
            return bytes[bit / 8] & mask == other[bit / 8] & mask
        }
    }

    private static func bytes(_ address: String) -> [UInt8]? {
        for (family, size) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: size)
            if inet_pton(family, address, &bytes) == 1 { return bytes }
        }
        return nil
    }
}
