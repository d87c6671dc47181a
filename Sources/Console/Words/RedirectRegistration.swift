import AuthEngine
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
    /// The port is the same in each sign-in already.
    private let fixesPort: Bool

    /// nil: the page is of no authorization request.
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

    /// Whether a profile has the same port in each sign-in: its redirect URI names one, or its listener.
    package static func fixesPort(_ redirectURI: String?, _ listener: MSALLoopbackListener?) -> Bool {
        listener?.ports != nil || redirectURI.flatMap { URL(string: $0)?.port } != nil
    }

    /// What to do, the redirect URI, and how to keep its port or use another one.
    package var lines: [String] {
        ["If the browser shows an error, register exactly this redirect URI for the client ID \(clientID):"]
            + ["  \(redirectURI)"] + (hasPort ? [portAdvice] : [])
    }

    private var portAdvice: String {
        fixesPort
            ? "Or use one that is registered, with --redirect-uri URI."
            : "The option --listen PORT keeps the port the same."
    }
}
