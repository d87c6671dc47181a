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
