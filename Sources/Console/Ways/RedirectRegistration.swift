import Foundation
import TerminalUI

/// What an application's registration at its authority must have for a sign-in to come back: one that has it not makes the
/// authority show an error page and send no response (RFC 6749 §4.1.2.1).
package struct RedirectRegistration: Sendable, Equatable {
    /// Exactly as the authorization request has it.
    package let redirectURI: String
    package let clientID: String
    /// It is a listener's, whose port `--listen` can fix.
    private let hasPort: Bool

    /// nil: the page is of no authorization request.
    package init?(page: URL) {
        func value(_ name: String) -> String? {
            URLComponents(url: page, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
        }
        guard let redirectURI = value("redirect_uri"), let clientID = value("client_id") else { return nil }
        self.redirectURI = Printable.sanitize(redirectURI)
        self.clientID = Printable.sanitize(clientID)
        hasPort = page.redirectPort != nil
    }

    /// What to do, the redirect URI, and how to keep its port.
    package var lines: [String] {
        ["If the browser shows an error, register exactly this redirect URI for the client ID \(clientID):"]
            + ["  \(redirectURI)"] + (hasPort ? ["The option --listen PORT keeps the port the same."] : [])
    }
}
