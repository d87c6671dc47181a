import Foundation
import MSAL
import TerminalUI

/// Hints for the user while a sign-in waits for them.
extension FlowView {
    /// The seconds without a response after which other sign-in methods are offered.
    private static let patience = 15.0
    /// The seconds without a response after which the redirect URI may be the reason.
    private static let longPatience = 30.0

    func hints(width: Int) -> [StyledLine] {
        let userHints = context.profile?.hints ?? []
        let told = userHints.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
        return [told, registration(width)].filter { !$0.isEmpty }.flatMap { [.empty] + $0 }
            + forwarding(width: width) + others(width)
    }

    /// The redirect URI to register, on its own line, after a while without a response. Not for the demo, whose authority
    /// accepts any.
    private func registration(_ width: Int) -> [StyledLine] {
        // A page that the user changed can be rejected for that.
        guard waits(Self.longPatience), !progress.hasVisitor, context.changesOfLastFlow == nil,
            context.profile?.isDemo != true,
            let registration = progress.authorizationURL.flatMap({
                RedirectRegistration(page: $0, fixesPort: context.profile?.fixesPort == true)
            })
        else { return [] }
        return registration.lines.flatMap { line in
            line.hasPrefix(" ")
                ? StyledLine.wrap(registration.redirectURI, to: max(1, width - 2), style: .text).map(\.indented)
                : wrapped(line, width)
        }
    }

    private var waiting: FlowProgress.Step? { progress.current.flatMap { $0.step == .waitForResponse ? $0 : nil } }
    private func waits(_ seconds: Double = 0) -> Bool {
        waiting.map { $0.duration(by: context.now) ?? 0 >= seconds } == true
    }

    /// Over ssh: the command that forwards the user's browser to the listener.
    func forwarding(width: Int) -> [StyledLine] {
        guard waits(), method == .browser, context.proposal.best != .browser,
            let page = progress.authorizationURL,
            let line = context.proposal.portForwarding(page: page, redirectPort: progress.redirectPort)
        else { return [] }
        return [.empty] + wrapped("Over ssh, run this on your own machine, then open the page there:", width)
            + StyledLine.wrap(line, to: max(1, width - 2), style: .text).map(\.indented)
    }

    /// The other sign-in methods, offered after a while without a response. A device code starts a new sign-in.
    private func others(_ width: Int) -> [StyledLine] {
        guard waits(Self.patience), method == .browser else { return [] }
        let paste = "Press \(Verb.paste.label) to paste another browser's final URL."
        let code = "Press \(Verb.deviceCode.label) to use a device code instead."
        let isOffered = pending.offersMethods && context.proposal.obstacle(to: .device) == nil
        return [.empty] + wrapped(isOffered ? "\(paste) \(code)" : paste, width)
    }

    private func wrapped(_ text: String, _ width: Int) -> [StyledLine] {
        StyledLine.wrap(text, to: max(1, width - 2), style: .muted)
    }
}
