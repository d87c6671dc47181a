import Foundation
import MSAL
import TerminalUI

/// The redirect URI that the application's registration must contain. Without it, the authority shows an error page and
/// sends no response (RFC 6749 §4.1.2.1).
package struct RedirectRegistration: Sendable, Equatable {
    /// The redirect URI, exactly as in the authorization request.
    package let redirectURI: String
    package let clientID: String
    /// The port of a listener's URI, which `--listen` can fix.
    private let port: Int?
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
        port = page.redirectPort
        self.fixesPort = fixesPort
    }

    /// Whether the profile's redirect URI or listener fixes the port.
    package static func fixesPort(_ redirectURI: String?, _ listener: MSALLoopbackListener?) -> Bool {
        listener?.ports != nil || redirectURI.flatMap { URL(string: $0)?.port } != nil
    }

    /// The advice, the redirect URI, and how to fix its port or use another URI.
    package var lines: [String] {
        ["If the sign-in page rejects the redirect URI, register this one for client ID \(clientID):"]
            + ["  \(redirectURI)"] + (port.map { [portAdvice($0)] } ?? [])
    }

    private func portAdvice(_ port: Int) -> String {
        fixesPort
            ? "Or use a registered one: --redirect-uri URI."
            : "Register it without the port if the authority accepts any port. If not, always sign in with --listen \(port)."
    }
}
