import Foundation

/// A redirect URI that passed the rules.
package struct RedirectURI: Sendable, Hashable {
    /// How an answer at this address comes back.
    package enum Way: Sendable, Hashable {
        /// The desktop hands addresses of the scheme to the program.
        case customScheme
        /// A link that the program is opened with.
        case httpsLink
        /// The program itself listens on this computer.
        case loopback
    }

    package let url: URL
    package let way: Way
    /// Whether a broker would answer to it.
    package let isBrokerCapable: Bool

    package init(url: URL, way: Way, isBrokerCapable: Bool) {
        self.url = url
        self.way = way
        self.isBrokerCapable = isBrokerCapable
    }

    /// Whether an address that was opened is an answer to this redirect URI: scheme and host for a custom scheme, as
    /// upstream has it; port and path too where other pages live at the same host.
    package func accepts(_ callback: URL) -> Bool {
        guard callback.lowercasedScheme == url.lowercasedScheme, callback.lowercasedHost == url.lowercasedHost else {
            return false
        }
        guard way != .customScheme else { return true }
        return callback.port == url.port && Self.path(callback) == Self.path(url)
    }

    private static func path(_ url: URL) -> String {
        let path = url.path(percentEncoded: true)
        return path.isEmpty ? "/" : path
    }

    /// The second redirect URI that certificate-based sign-in comes back with, `msauth://code/<broker redirect URI>`,
    /// without its query and fragment. `nil` for any other address.
    package static func certificateSignIn(_ callback: URL) -> String? {
        guard callback.scheme == "msauth", callback.lowercasedHost == "code" else { return nil }
        return String(callback.absoluteString.prefix { $0 != "?" && $0 != "#" })
    }
}
