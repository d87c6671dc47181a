import Foundation
import MSAL
import TerminalUI

/// The redirect URI that the application's registration must contain. Without it, the authority shows an error page and
/// sends no response (RFC 6749 §4.1.2.1).
package struct RedirectRegistration: Sendable, Equatable {
    package let redirectURI, clientID: String
    /// The port of a listener's URI, which `--listen` can fix.
    private let port: Int?
    private let fixesPort: Bool

    package init?(page: URL, fixesPort: Bool) {
        func value(_ name: String) -> String? {
            URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
        }
        guard let redirectURI = value("redirect_uri"), let clientID = value("client_id") else { return nil }
        (self.redirectURI, self.clientID) = (Printable.sanitize(redirectURI), Printable.sanitize(clientID))
        (port, self.fixesPort) = (page.redirectPort, fixesPort)
    }

    package static func fixesPort(_ redirectURI: String?, _ listener: MSALLoopbackListener?) -> Bool {
        listener?.ports != nil || redirectURI.flatMap { URL(string: $0)?.port } != nil
    }

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
