import AuthEngine
import Foundation
import TerminalUI

/// What helps the person along while a sign-in waits for them.
struct FlowHints {
    let context: Context
    let progress: FlowProgress
    let way: SignInWay

    /// Seconds of silence after which the other ways are offered.
    private static let patience = 15.0

    func lines(width: Int) -> [StyledLine] {
        let people = context.profile?.hints ?? []
        let told = people.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
        return [told, registration(width), forwarding(width), others(width)].filter { !$0.isEmpty }
            .flatMap { [.empty] + $0 }
    }

    /// The redirect URI is on a line of its own. The built-in authority knows every one.
    private func registration(_ width: Int) -> [StyledLine] {
        guard isWaiting, context.profile?.isDemo != true,
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
    private var isWaiting: Bool { waiting != nil }

    /// Over ssh: what makes the person's own browser reach the port that listens here.
    private func forwarding(_ width: Int) -> [StyledLine] {
        guard isWaiting, way == .browser, context.proposal.best != .browser,
            let port = progress.authorizationURL?.redirectPort,
            let line = context.proposal.portForwarding(port: port)
        else { return [] }
        return wrapped("Over ssh, run this where you sit, then open the page there:", width)
            + StyledLine.wrap(line, to: max(1, width - 2), style: .text).map(\.indented)
    }

    /// After silence: the other ways, and what becomes of this one. A code is a sign-in of its own.
    private func others(_ width: Int) -> [StyledLine] {
        guard let waiting, way == .browser, (waiting.duration(by: context.now) ?? 0) >= Self.patience else { return [] }
        let paste = "p takes the address from a browser elsewhere, while this one waits on."
        let code = "c signs in with a code on another device instead: this wait ends then."
        let isOffered = context.proposal.obstacle(to: .device) == nil
        return wrapped(isOffered ? "\(paste) \(code)" : paste, width)
    }

    private func wrapped(_ text: String, _ width: Int) -> [StyledLine] {
        StyledLine.wrap(text, to: max(1, width - 2), style: .muted)
    }
}
