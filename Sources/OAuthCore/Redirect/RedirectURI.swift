import Foundation

package struct RedirectURI: Sendable, Hashable {
    /// The way in which a response at this URI arrives.
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
    /// Whether brokers accept the redirect URI.
    package let isBrokerCapable: Bool

    package init(url: URL, kind: Kind, isBrokerCapable: Bool) {
        self.url = url
        self.kind = kind
        self.isBrokerCapable = isBrokerCapable
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
