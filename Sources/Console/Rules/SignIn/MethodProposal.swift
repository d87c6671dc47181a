import Foundation

/// The sign-in methods that can work on this machine with this profile and authority, best first, each with a reason.
package struct MethodProposal: Sendable, Equatable {
    package struct Choice: Sendable, Equatable {
        package var method: SignInMethod
        package var reason: String
    }

    package let choices: [Choice]
    private let facts: MachineFacts
    private let offersDeviceCode: Bool?

    /// - Parameter offersDeviceCode: whether the authority has a device authorization endpoint; nil if unknown.
    /// - Parameter prefersPaste: whether the user can paste, and many organisations block device codes there.
    package init(
        _ facts: MachineFacts, namesBrowser: Bool = false, offersDeviceCode: Bool? = nil, prefersPaste: Bool = false
    ) {
        self.facts = facts
        self.offersDeviceCode = offersDeviceCode
        choices = Self.choices(facts, namesBrowser: namesBrowser, prefersPaste).filter {
            $0.method != .device || offersDeviceCode != false
        }
    }

    package func fitting(namesBrowser: Bool, offersDeviceCode: Bool?, prefersPaste: Bool = false) -> MethodProposal {
        MethodProposal(
            facts, namesBrowser: namesBrowser, offersDeviceCode: offersDeviceCode, prefersPaste: prefersPaste)
    }

    package var best: SignInMethod { choices.first?.method ?? .browser }

    /// The methods to try if the user chose none: the best, with a fallback for a device code, which can be rejected.
    package var usual: [SignInMethod] { choices.prefix(best == .device ? 2 : 1).map(\.method) }

    package func obstacle(to method: SignInMethod) -> String? {
        method == .device && offersDeviceCode == false ? "The authority doesn't support device codes." : nil
    }

    package func reason(for method: SignInMethod) -> String? {
        guard method != .broker else { return "Uses this session's broker, or another method if there is none." }
        return choices.first { $0.method == method }?.reason
    }

    private static func choices(_ facts: MachineFacts, namesBrowser: Bool, _ prefersPaste: Bool) -> [Choice] {
        let device = Choice(method: .device, reason: "Enter a code on any device with a browser.")
        let paste = Choice(method: .paste, reason: "Sign in with any browser, then paste the final URL.")
        let elsewhere = prefersPaste ? [paste, device] : [device, paste]
        func browser(_ reason: String) -> [Choice] { [Choice(method: .browser, reason: reason)] }
        if namesBrowser { return browser("Opens the profile's browser.") + [device, paste] }
        if facts.lendsBrowser { return browser("Opens your own computer's browser, over ssh.") + [device, paste] }
        if let editor = facts.remoteEditor {
            return elsewhere + browser("The browser of \(editor) can't reach the listener.")
        }
        // Remote editors set $BROWSER to a helper that opens the page on the user's own machine.
        if facts.namesBrowser { return browser("Opens $BROWSER.") + [device, paste] }
        if facts.isWSL { return browser("Opens the Windows browser.") + [device, paste] }
        if facts.ssh != nil { return elsewhere + browser("Over ssh, this needs a forwarded port.") }
        if facts.isContainer {
            return [device, paste] + browser("Browsers outside this container can't reach the listener.")
        }
        return facts.hasDisplay
            ? browser("Opens the browser on this desktop.") + [device, paste]
            : [device, paste] + browser("No display: only a text browser can open.")
    }

    /// The command that forwards the user's browser to the listener and to a page here; nil outside ssh, or for neither.
    package func portForwarding(page: URL, redirectPort: Int? = nil) -> String? {
        let local = ([redirectPort ?? page.redirectPort] + (page.isLoopback ? [page.port] : [])).compactMap(\.self)
        guard let ssh = facts.ssh, !local.isEmpty else { return nil }
        let forwards = local.map { "-L \($0):localhost:\($0)" }.joined(separator: " ")
        let option = ssh.port == 22 ? "" : " -p \(ssh.port)"
        return "ssh -N \(forwards)\(option) \(facts.user.map { "\($0)@" } ?? "")\(ssh.server ?? "HOST")"
    }
}

extension URL {
    /// The port of the redirect URI of an authorization or sign-out request.
    package var redirectPort: Int? {
        URLComponents(url: self, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name == "redirect_uri" || $0.name == "post_logout_redirect_uri" }?.value.flatMap {
                URL(string: $0)?.port
            }
    }
}
