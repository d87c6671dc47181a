import AuthEngine
import Foundation
import TerminalUI

/// The redirect URI that the application's registration must contain. Without it, the authority shows an error page and
/// sends no response (RFC 6749 §4.1.2.1).
package struct RedirectRegistration: Sendable, Equatable {
    /// The redirect URI, exactly as in the authorization request.
    package let redirectURI: String
    package let clientID: String
    /// Whether the URI is a listener's, whose port `--listen` can fix.
    private let hasPort: Bool
    /// Whether the port is already fixed.
    private let fixesPort: Bool

    /// Nil if the page isn't an authorization request.
    package init?(page: URL, fixesPort: Bool) {
        func value(_ name: String) -> String? {
            URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
        }
        guard let redirectURI = value("redirect_uri"), let clientID = value("client_id") else { return nil }
        self.redirectURI = Printable.sanitize(redirectURI)
        self.clientID = Printable.sanitize(clientID)
        hasPort = page.redirectPort != nil
        self.fixesPort = fixesPort
    }

    /// Whether the profile's redirect URI or listener fixes the port.
    package static func fixesPort(_ redirectURI: String?, _ listener: MSALLoopbackListener?) -> Bool {
        listener?.ports != nil || redirectURI.flatMap { URL(string: $0)?.port } != nil
    }

    /// The advice, the redirect URI, and how to fix its port or use another URI.
    package var lines: [String] {
        ["If the sign-in page rejects the redirect URI, register this one for client ID \(clientID):"]
            + ["  \(redirectURI)"] + (hasPort ? [portAdvice] : [])
    }

    private var portAdvice: String {
        fixesPort
            ? "Or use a registered one: --redirect-uri URI."
            : "Register it without a port if the authority accepts any port. Otherwise set the port with --listen PORT."
    }
}
