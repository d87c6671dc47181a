import Console
import Foundation
import MSAL
import TerminalUI

/// Tells the steps of a sign-in as lines, for a person at a plain terminal.
struct FlowNarrator: Sendable {
    /// What the page that is opened is for.
    enum Purpose: Sendable { case signIn, signOut }

    var purpose = Purpose.signIn
    var method = SignInMethod.browser
    /// Which other methods there are, when the one chosen does not fit the machine.
    var proposal: MethodProposal?
    /// The page of the sign-in, once it was opened.
    var page: URL?
    /// The redirect URI has the same port in each sign-in.
    var fixesPort = false
    /// Tells only what needs the user while the sign-in waits: nothing of its steps.
    var isQuiet = false
    /// Whoever runs the sign-in tells why it ended, and what comes next.
    var tellsNoEnd = false

    /// The lines of one event; none for what is not worth a line.
    func lines(_ event: MSALFlowEvent) -> [String] {
        let detail = Printable.sanitize(event.detail)
        guard !isQuiet else { return needed(event, detail) }
        switch (event.step, event.phase) {
        case (.openBrowser, .started): return invitation(event.authorizationURL)
        case (.openBrowser, .succeeded) where method == .paste, (_, .started): return []
        case (.askBroker, .failed) where tellsNoEnd, (.listen, .failed) where tellsNoEnd: return []
        case (.waitForResponse, .noted): return ["  \(detail)"] + registration + elsewhere
        case (_, .noted): return ["  \(detail)"]
        case (_, .succeeded): return detail.isEmpty ? [] : ["  \(detail)"]
        case (_, .failed): return ["  ! \(detail)"]
        }
    }

    private func needed(_ event: MSALFlowEvent, _ detail: String) -> [String] {
        switch (event.step, event.phase) {
        case (.waitForResponse, .noted): ["  \(detail)"] + address + registration
        case (.openBrowser, .failed) where !tellsNoEnd: ["  ! \(detail)"] + address + registration
        case (_, .started), (_, .noted), (_, .succeeded), (_, .failed): []
        }
    }

    private var address: [String] { [page.map { Printable.sanitize($0.absoluteString) }].compactMap(\.self) }

    private func invitation(_ url: URL?) -> [String] {
        let address = [url.map { Printable.sanitize($0.absoluteString) }].compactMap(\.self)
        guard method != .paste else {
            return ["Open this address in any browser and sign in:"] + address + registration + [
                "The last page may fail to load. Copy its address, paste it here and press Enter:"
            ]
        }
        let verb = purpose == .signIn ? "Sign in" : "Sign out"
        return ["\(verb) with your browser. If it does not open, open this address:"] + address + registration
            + otherMethods(url)
    }

    /// What to do about the commonest mistake: the authority shows its own error page then and sends no response
    /// (RFC 6749 §4.1.2.1).
    private var registration: [String] {
        page.flatMap { RedirectRegistration(page: $0, fixesPort: fixesPort) }.map { $0.lines.map { "  \($0)" } } ?? []
    }

    /// What else can be done while the wait goes on; pasting is possible in another run only.
    private var elsewhere: [String] {
        guard method != .paste, purpose == .signIn else { return [] }
        let others = [SignInMethod.device, .paste].filter { proposal?.obstacle(to: $0) == nil }
        let options = others.map { "'--method \($0.rawValue)'" }.joined(separator: " or ")
        return ["  Or end this with Ctrl-C and run it with \(options)."]
    }

    private func otherMethods(_ url: URL?) -> [String] {
        guard let proposal, proposal.best != .browser, let reason = proposal.reason(for: .browser) else { return [] }
        var lines = ["\(reason) '--method \(proposal.best.rawValue)' needs no browser here."]
        if let line = url?.redirectPort.flatMap({ proposal.portForwarding(port: $0) }) {
            lines += ["To let your own browser come back, run this where it is, then open the address:", "  \(line)"]
        }
        return lines
    }
}
