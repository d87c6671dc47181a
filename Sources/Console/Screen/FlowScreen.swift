import Foundation
import MSAL
import TerminalUI

/// A screen that follows what effects tell.
protocol FollowingScreen: WaitingScreen {
    /// Follows what an effect in ``ConsoleScreen/waits`` tells, or what another one learned of the authority.
    mutating func follow(_ progress: Progress, _ context: inout Context) -> Reaction
}

/// A screen that watches a flow of the library, which line mode reports while it runs.
protocol FlowScreen: FollowingScreen {
    var flow: EffectID? { get }
    var method: SignInMethod { get }
    /// Messages about earlier attempts, each printed once.
    var remarks: [String] { get }
    /// Whether line mode reports the flow.
    func isTold(_ context: Context) -> Bool
    /// The page that line mode names at an event.
    func toldPage(_ event: MSALFlowEvent, _ context: Context) -> URL?
}

extension FlowScreen {
    var method: SignInMethod { .browser }
    var remarks: [String] { [] }
    func isTold(_ context: Context) -> Bool { true }
    func toldPage(_ event: MSALFlowEvent, _ context: Context) -> URL? { nil }

    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String] {
        guard let flow, isTold(context), case .progress(flow, let progress) = message else { return [] }
        return switch progress {
        case .deviceCode(let shown): [teller.code(shown.code)]
        case .pasteRejected(let report): ["Warning: \(report.reason) \(report.advice)"]
        case .event(let event): teller.step(event, method, context.proposal, toldPage(event, context))
        case .exchange, .held, .pagePicture, .page, .stuck, .slow, .revocation, .cacheOpened, .unread, .deviceCodeOffer:
            []
        }
    }
}

/// A screen of nothing but a flow.
protocol WatchingScreen: FlowScreen {
    var id: EffectID { get }
    var progress: FlowProgress { get set }
}

extension WatchingScreen {
    var flow: EffectID? { id }
    var waits: [Wait] { [Wait(id, .cancelAndSay)] }

    static var cancelling: [Command] {
        [back("Cancel and go back.", hint: "cancel"), close(closingCancels), interrupt]
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        let pending = PendingSignIn(progress: progress, method: method, offersMethods: false)
        FlowView(pending: pending, context: context, isInteractive: false).draw(on: &surface, in: rect)
    }

    mutating func follow(_ progress: Progress, _ context: inout Context) -> Reaction {
        record(progress)
        return .none
    }

    mutating func record(_ progress: Progress) { if case .event(let event) = progress { self.progress.record(event) } }
}

/// A screen on which a sign-in waits for the user, who can paste the final URL.
protocol SigningInScreen: FlowScreen, TypingScreen, PromptingScreen, CopyingScreen, InspectableScreen {
    var line: PasteLine { get set }
    var deviceCode: ShownDeviceCode? { get set }
    /// The page where the user signs in; nil until it's known.
    func waitingPage(_ context: Context) -> URL?
    /// Whether the sign-in can use another method, and what then starts it again.
    func canChange(to method: SignInMethod, _ context: Context) -> Availability
    func change(to method: SignInMethod, _ context: inout Context) -> Reaction
}

extension SigningInScreen {
    func awaitsPaste(_ context: Context) -> Bool { flow != nil && deviceCode == nil && waitingPage(context) != nil }

    /// - Parameter noURL: why the line for the final URL can't be opened.
    static func otherMethods(inLines lineUse: LineUse, noURL: @escaping @Sendable (Self) -> String) -> [Command] {
        func change(_ name: CommandName, _ verb: Verb, _ method: SignInMethod, _ sentence: String, hint: String)
            -> Command
        {
            Command(
                name, .verb(verb), sentence, hint: hint, inLines: lineUse,
                if: { $0.canChange(to: method, $1) }, do: { $0.change(to: method, &$1) })
        }
        return [
            Command(
                "paste", .verb(.paste), "Type or paste the final URL.", hint: "paste", inLines: .absent,
                if: { Availability($0.awaitsPaste($1), else: noURL($0)) }, do: changing { $0.line.open() }),
            change("changeToCode", .deviceCode, .device, "Sign in with a device code instead.", hint: "code"),
            change(
                "changeToBrowser", .signIn, .browser, "Sign in with this computer's browser instead.", hint: "browser"),
        ]
    }

    static var sendPaste: Command {
        Command("sendPaste", [.enter], "Use the pasted URL.", hint: "use it", inLines: .absent) { state, _ in
            guard let flow = state.flow, let text = state.line.send() else { return .none }
            return .start(.deliver(flow, text))
        }
    }

    static var stopPasting: Command { back("Stop pasting; the sign-in continues.", hint: "other keys") }

    func copyable(_ context: Context) -> CopiedText? {
        deviceCode.map { CopiedText("the code", fileName: "code.txt", $0.code.userCode) }
            ?? waitingPage(context).map(CopiedText.init)
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        acceptsPaste(context) ? line.type(key, &context) : nil
    }

    func acceptsPaste(_ context: Context) -> Bool { line.text != nil || awaitsPaste(context) }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        guard let flow, acceptsPaste(context) else { return .none }
        context.notice = nil
        return .start(.deliver(flow, line.paste(text)))
    }

    mutating func stepBack(_ context: inout Context) -> Bool {
        guard line.text != nil else { return false }
        line.hide()
        return true
    }

    mutating func note(_ progress: Progress) {
        if case .deviceCode(let shown) = progress { deviceCode = shown }
        if case .pasteRejected(let report) = progress { line.reject(report) }
        if case .event(let event) = progress, event.step == .waitForResponse, event.phase == .succeeded { line.close() }
    }
}
