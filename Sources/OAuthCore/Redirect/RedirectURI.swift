import Foundation

package struct RedirectURI: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The desktop passes URLs of this scheme to the program.
        case customScheme
        /// A link that opens the program.
        case httpsLink
        /// The program listens on this computer.
        case loopback
    }

    package let url: URL
    package let kind: Kind
    package let isBrokerCapable: Bool

    package init(url: URL, kind: Kind, isBrokerCapable: Bool) {
        (self.url, self.kind, self.isBrokerCapable) = (url, kind, isBrokerCapable)
    }

    /// Whether a URL is a response at this redirect URI. For a custom scheme, scheme and host must match, as in MSAL
    /// for iOS and macOS; for others, port and path too.
    package func accepts(_ callback: URL) -> Bool {
        guard callback.lowercasedScheme == url.lowercasedScheme, callback.lowercasedHost == url.lowercasedHost else {
            return false
        }
        guard kind != .customScheme else { return true }
        return callback.port == url.port && Self.path(callback) == Self.path(url)
    }

    private static func path(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }
}

/// The parts of a URL text, including invalid ones that `URL` rejects, so that errors can name them.
struct RedirectURIParts {
    let scheme: String
    /// The host, including the brackets of an IPv6 address.
    let host: String
    let hasUser: Bool
    /// A port that isn't a number from 1 to 65535.
    let badPort: String?
    let hasFragment: Bool

    init(_ text: String) {
        hasFragment = text.contains("#")
        let beforePath = text.prefix { !"/?#".contains($0) }
        // "localhost:8400" is a host and a port, not a scheme.
        let isBareHost = beforePath.lastIndex(of: ":").map { Loopback.contains(beforePath[..<$0]) } ?? false
        let colon = isBareHost ? nil : beforePath.firstIndex(of: ":")
        scheme = colon.map { String(text[..<$0]) } ?? ""
        let rest = colon.map { text[text.index(after: $0)...] } ?? text[...]
        let authority =
            isBareHost ? beforePath : rest.hasPrefix("//") ? rest.dropFirst(2).prefix { !"/?#".contains($0) } : ""
        let afterUser = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        hasUser = authority.contains("@")
        let bracket = afterUser.hasPrefix("[") ? afterUser.firstIndex(of: "]") : nil
        let hostLimit =
            bracket.map { afterUser.index(after: $0) } ?? afterUser.firstIndex(of: ":") ?? afterUser.endIndex
        host = String(afterUser[..<hostLimit])
        let port = afterUser[hostLimit...]
        // RFC 3986 §3.2.3 allows a colon without a port.
        let isPossible = port.isEmpty || port == ":" || (port.hasPrefix(":") && UInt16(port.dropFirst()) ?? 0 > 0)
        badPort = isPossible ? nil : String(port.hasPrefix(":") ? port.dropFirst() : port)
    }

    /// Whether a listener on this computer can receive the response (RFC 8252 §7.3).
    var isLoopback: Bool {
        scheme.lowercased() == "http" && !hasUser && badPort == nil && Loopback.contains(host)
    }
}

extension String {
    /// The port if it isn't a number from 1 to 65535.
    package var impossiblePort: String? { RedirectURIParts(self).badPort }
}
