import Console
import Foundation
import MSAL
import TerminalUI

/// Prints the steps of a sign-in as lines, for commands and line mode.
struct FlowNarrator: Sendable {
    enum Purpose: Sendable { case signIn, signOut }

    var purpose = Purpose.signIn
    var method = SignInMethod.browser
    var proposal: MethodProposal?
    var page: URL?
    /// Whether this program registered the client with its redirect URI.
    var isRegistered = false
    /// Whether the user can paste the final URL while the browser is open.
    var takesPastes = false
    var fixesPort = false
    /// Whether to print only what the user must act on.
    var isQuiet = false
    /// Whether the user's own computer opens the page, which says nothing before the response.
    var isLent = false
    /// Whether the caller asks for the pasted URL.
    var wantsPaste = false
    /// Whether the caller prints why this method failed, and tries another.
    var hidesFailure = false

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

struct DeviceCodeNotice: Sendable {
    var drawsPicture: Bool
    var usesASCII: Bool

    func text(_ code: MSALDeviceCode, at now: Date) -> String {
        let seconds = max(0, code.expiresOn.timeIntervalSince(now))
        let left =
            seconds < 60
            ? Moment.count(Int(seconds), "second") : Moment.count(Int((seconds / 60).rounded(.up)), "minute")
        var lines = invitation(code) + picture(code)
        lines.append("The code expires in \(left). Enter it only if you started this sign-in.")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The URL once: with the code in it if the authority gives such a URL (RFC 8628 §3.3.1), which begins with the short one.
    private func invitation(_ code: MSALDeviceCode) -> [String] {
        let userCode = Printable.sanitize(code.userCode)
        let page = Printable.sanitize(code.verificationURL.absoluteString)
        let complete = code.verificationURLComplete.map { Printable.sanitize($0.absoluteString) }
        let shown = drawsPicture ? ColorTheme.mono.text(userCode, in: .title) : userCode
        let entry = "and enter the code \(shown)"
        guard let complete else { return ["Open \(page)", "\(entry)."] }
        guard complete.hasPrefix(page) else { return ["Open \(page)", "\(entry).", "Or open \(complete)"] }
        return ["Open \(complete)", "\(entry) if the page asks for it."]
    }

    /// The QR code in black on white, as scanners expect.
    private func picture(_ code: MSALDeviceCode) -> [String] {
        guard drawsPicture, let picture = QRCode(page: code.verificationURLComplete ?? code.verificationURL)
        else { return [] }
        let lines = usesASCII ? picture.asciiLines() : picture.halfBlockLines()
        return lines.map { "\u{1B}[30;47m\($0)\u{1B}[0m" }
    }
}
