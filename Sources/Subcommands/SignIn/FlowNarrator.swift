import Console
import Foundation
import MSAL
import TerminalUI

/// Prints the steps of a sign-in as lines, for commands and line mode.
struct FlowNarrator: Sendable {
    /// The purpose of the opened page.
    enum Purpose: Sendable { case signIn, signOut }

    var purpose = Purpose.signIn
    var method = SignInMethod.browser
    /// The methods for this machine, to suggest others.
    var proposal: MethodProposal?
    /// The sign-in page, once opened.
    var page: URL?
    /// Whether this program registered the client with its redirect URI.
    var isRegistered = false
    /// Whether the user can paste the final URL while the browser is open.
    var takesPastes = false
    /// Whether the redirect URI's port is fixed.
    var fixesPort = false
    /// Whether to print only what the user must act on.
    var isQuiet = false
    /// Whether the user's own computer opens the page, which says nothing before the response.
    var isLent = false
    /// Whether the caller asks for the pasted URL.
    var wantsPaste = false
    /// Whether the caller prints why this method failed, and tries another.
    var hidesFailure = false

    /// The lines for an event; empty for unimportant ones.
    func lines(_ event: MSALFlowEvent) -> [String] {
        let detail = Printable.sanitize(event.detail)
        guard !isQuiet else { return needed(event, detail) }
        switch (event.step, event.phase) {
        case (.openBrowser, .started): return invitation(event)
        // The prompt with the code has the URL.
        case (.showCode, .succeeded): return []
        case (.openBrowser, .succeeded) where method == .paste || isLent, (_, .started): return []
        case (.waitForResponse, .noted): return ["  \(detail)"] + advice(on: event) + elsewhere
        case (_, .noted): return ["  \(detail)"]
        case (_, .succeeded): return detail.isEmpty ? [] : ["  \(detail)"]
        case (.openBrowser, .failed) where !hidesFailure: return ["  ! \(detail)"]
        // The error at the end says it.
        case (_, .failed): return []
        }
    }

    private func needed(_ event: MSALFlowEvent, _ detail: String) -> [String] {
        switch (event.step, event.phase) {
        case (.waitForResponse, .noted): ["  \(detail)"] + address + advice(on: event)
        case (.openBrowser, .failed) where !hidesFailure: ["  ! \(detail)"] + address + registration
        case (_, .started), (_, .noted), (_, .succeeded), (_, .failed): []
        }
    }

    private var address: [String] { [page.map { Printable.sanitize($0.absoluteString) }].compactMap(\.self) }

    static let pasteInvitation = "Paste the final URL, even if that page fails to load:"

    private func invitation(_ event: MSALFlowEvent) -> [String] {
        let address = [event.authorizationURL.map { Printable.sanitize($0.absoluteString) }].compactMap(\.self)
        guard method != .paste else {
            return ["Open this URL in any browser and sign in:"] + address + registration
                + (wantsPaste ? [] : [Self.pasteInvitation])
        }
        let verb = purpose == .signIn ? "Sign in" : "Sign out"
        return ["\(verb) with your browser. If it doesn't open, open this URL:"] + address + registration
            + otherMethods(event)
    }

    /// Advice on an unregistered redirect URI, the most common mistake: the authority shows an error page and sends no
    /// response (RFC 6749 §4.1.2.1).
    private var registration: [String] {
        guard !isRegistered || page == nil else {
            return ["  If the browser shows an error, press Ctrl-C and sign in again."]
        }
        return page.flatMap { RedirectRegistration(page: $0, fixesPort: fixesPort) }.map { $0.lines.map { "  \($0)" } }
            ?? []
    }

    /// A browser that came was sent by an authority that accepts the redirect URI.
    private func advice(on event: MSALFlowEvent) -> [String] { event.hasVisitor ? [] : registration }

    /// The other methods to suggest while waiting. Those that a paste doesn't replace need another run.
    private var elsewhere: [String] {
        guard method != .paste, purpose == .signIn else { return [] }
        let others = [SignInMethod.device, .paste].filter {
            proposal?.obstacle(to: $0) == nil && !($0 == .paste && takesPastes)
        }
        let options = others.map { "'--method \($0.rawValue)'" }.joined(separator: " or ")
        return paste + (others.isEmpty ? [] : ["  Or press Ctrl-C and use \(options)."])
    }

    private var paste: [String] {
        takesPastes && method != .paste ? ["  Or paste the final URL here, even if that page fails to load."] : []
    }

    private func otherMethods(_ event: MSALFlowEvent) -> [String] {
        let page = event.authorizationURL
        guard let proposal, proposal.best != .browser, (event.redirectPort ?? page?.redirectPort) != nil,
            let reason = proposal.reason(for: .browser)
        else { return [] }
        var lines = ["\(reason) '--method \(proposal.best.rawValue)' needs no browser here."]
        lines += paste
        if let line = page.flatMap({ proposal.portForwarding(page: $0, redirectPort: event.redirectPort) }) {
            lines += ["Over ssh, run this on your own machine, then open the URL there:", "  \(line)"]
        }
        return lines
    }
}
