import AuthEngine
import Foundation
import TerminalUI

/// What helps the person along while a sign-in waits for them.
struct FlowHints {
    let model: Model
    let progress: FlowProgress
    let way: SignInWay

    /// Seconds of silence after which the other ways are offered.
    private static let patience = 15.0

    func lines(width: Int) -> [StyledLine] {
        let people = model.profile?.hints ?? []
        let texts = [forwarding(width), others(width)].filter { !$0.isEmpty }
        let told = people.flatMap { StyledLine.preformatted($0, width: width, style: .muted) }
        if !told.isEmpty { return ([told] + texts).flatMap { [.empty] + $0 } }
        guard isWaiting, way == .browser else { return [] }
        return (texts.isEmpty ? [wrapped(Self.stuckAdvice, width)] : texts).flatMap { [.empty] + $0 }
    }

    private var waiting: FlowProgress.Step? { progress.current.flatMap { $0.step == .waitForResponse ? $0 : nil } }
    private var isWaiting: Bool { waiting != nil }

    /// Over ssh: what makes the person's own browser reach the port that listens here.
    private func forwarding(_ width: Int) -> [StyledLine] {
        guard isWaiting, way == .browser, model.proposal.best != .browser,
            let port = progress.authorizationURL?.redirectPort,
            let line = model.proposal.portForwarding(port: port)
        else { return [] }
        return wrapped("Over ssh, run this where you sit, then open the page there:", width)
            + StyledLine.wrap(line, to: max(1, width - 2), style: .text).map(\.indented)
    }

    /// After silence: the other ways, and what becomes of this one. A code is a sign-in of its own.
    private func others(_ width: Int) -> [StyledLine] {
        guard let waiting, way == .browser, (waiting.duration(by: model.now) ?? 0) >= Self.patience else { return [] }
        return wrapped(
            "p takes the address from a browser elsewhere, while this one waits on. c signs in with a code on another "
                + "device instead: this wait ends then.", width)
    }

    private func wrapped(_ text: String, _ width: Int) -> [StyledLine] {
        StyledLine.wrap(text, to: max(1, width - 2), style: .muted)
    }

    /// An authority that does not know the application says so in the browser and sends nothing back (RFC 6749 §4.1.2.1).
    private static let stuckAdvice =
        "If the browser shows an error instead of a sign-in page: Esc, then check the client ID and the redirect URI "
        + "at the authority."
}
