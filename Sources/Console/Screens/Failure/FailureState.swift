import MSAL
import TerminalUI

/// The error screen: a failure and the attempt that led to it.
package struct FailureState: TextScreen, CopyingScreen, InspectableScreen {
    package var report: Failure
    package var attempt: Attempt
    package var flow: EffectID?
    var showsCodes = false
    var pane = TextPane()

    static var howToOpen: String { "An error opens this screen." }
    package enum Layer: String, KeyLayer { case all = "Error" }

    func pace(_ context: Context) -> Pace { report.wait(at: context.now) == nil ? .still : .everySecond }

    func inspectable(_ context: Context) -> FlowTrace? { flow.flatMap { context.traces[$0] } }

    func copyable(_ context: Context) -> CopiedText? {
        CopiedText("the error", fileName: "error.txt", report.text(in: context.options.timeZone))
    }

    static let commands: [Command] =
        [
            Command(
                "takeNextStep", [.enter], "Do the suggested next step.", hint: "as suggested",
                sentenceNow: { state, _ in state.phrase + "." }, hintedIf: { state, _ in state.nextStep != .tryAgain }
            ) { $0.takeNextStep(&$1) },
            Command(
                "tryAgain", .verb(.again), "Try again.", hint: "try again", if: { state, _ in state.canTryAgain }
            ) { $0.tryAgain(&$1) },
            Command(
                "signInInstead", .verb(.signIn), "Sign in with the default method.", hint: "sign in",
                if: { state, context in
                    switch state.attempt {
                    case .removal: .unavailable("Signing in doesn't help with a removal.")
                    case .signIn(_, let request?, _) where request.method != context.preferredMethod: .available
                    case .signIn, .silent: state.canTryAgain
                    }
                }
            ) { $0.signIn(&$1) },
            Command(
                "codes", .verb(.details), "Show or hide the codes to quote to support, and their meanings.",
                hint: "codes", hintNow: { state, _ in state.showsCodes ? "fewer" : nil }, inLines: .absent,
                do: changing { ($0.showsCodes, $0.top) = (!$0.showsCodes, 0) }),
            Command(
                "editProfile", .verb(.edit), "Edit the profile, at what the error blames.", hint: "edit profile",
                hintedIf: { state, _ in state.nextStep != .changeProfile && state.report.blamedField != nil },
                inLines: .whenAvailable, if: { _, context in context.canEditProfile }
            ) { $0.editProfile(&$1) },
            profiles(), inspect(goes: false, hint: "flow"), check, copy("Copy the error to the clipboard."), saveCopy(),
            walkOn(),
            // No hint: the status line is full, and the screen names the key.
            report(),
        ] + moving() + finding() + leaving(walks: false)

    private var canTryAgain: Availability { Availability(report.nextStep != .check, else: "It would fail again.") }

    private func takeNextStep(_ context: inout Context) -> Reaction {
        switch nextStep {
        case .tryAgain: tryAgain(&context)
        case .signIn, .signInAsAdvised: signIn(&context)
        case .check: .open(.check)
        case .changeRequest: .move(.replace(.signInForm(request)))
        case .changeProfile: editProfile(&context)
        case .chooseProfile: .move(.replace(.profiles))
        }
    }

    /// Opens the profile's form at the field that the error blames. Saving it signs in again.
    private func editProfile(_ context: inout Context) -> Reaction {
        guard let name = context.profile?.name, context.canEditProfile == .available else {
            return .move(.replace(.profiles))
        }
        return .open(.profileForm(name, focus: report.blamedField))
    }

    /// For a removal, the only one is to try again.
    var nextStep: Failure.NextStep {
        if case .removal = attempt { return .tryAgain }
        return report.nextStep
    }

    /// The accounts that a failed removal leaves.
    private var remaining: String? {
        guard case .removal(let removal) = attempt else { return nil }
        return ([removal.account] + removal.rest).map(\.displayName).joined(separator: ", ")
    }

    var phrase: String {
        guard nextStep == .changeProfile, let field = report.blamedField else { return nextStep.phrase }
        return "Edit the profile's \(field.phrase)"
    }

    private var request: SignInRequest? { if case .signIn(_, let request, _) = attempt { request } else { nil } }

    private func tryAgain(_ context: inout Context) -> Reaction {
        switch attempt {
        case .signIn(let account, let request, let chain): .move(.replace(.signIn(account, request, in: chain)))
        case .silent(let account, let isForced): .move(.replace(.silent(account, isForced: isForced)))
        case .removal(let removal): Reaction(move: .close(), effects: [context.remove(removal)])
        }
    }

    private func signIn(_ context: inout Context) -> Reaction {
        switch attempt {
        case .signIn(let account, var request?, _):
            request.method = context.preferredMethod
            let chain = context.chain(startingWith: request.method)
            return .move(.replace(.signIn(account, request, in: chain)))
        case .signIn(let account?, nil, _), .silent(let account, _): return .move(.replace(.signIn(account)))
        case .signIn(nil, nil, _): return .move(.replace(.signIn()))
        case .removal: return tryAgain(&context)
        }
    }

    func lines(_ context: Context) -> [String] {
        ["Error."] + (remaining.map { ["Not removed: \($0)."] } ?? [])
            + report.text(in: context.options.timeZone).split(separator: "\n").map { String($0).onScreen }
    }

    func text(in area: Rect, _ context: Context) -> [StyledLine] {
        let width = area.width - ScrollingText.margin
        let facts: [(String, String?)] = [
            ("Why", report.cause), ("Not removed", remaining), ("Next", advice(context)),
            (key(of: "takeNextStep", context), phrase),
            (key(of: "editProfile", context), edit(context)),
            (key(of: "report", context), "Write a report without secrets or names"),
        ]
        return StyledLine.wrap("\(context.glyphs.cross) \(report.headline)", to: width, style: Style(.danger, .bold))
            + [.empty] + StyledLine.facts(facts, width: width, glyphs: context.glyphs) + [.empty]
            + codeLines(width: width, context)
    }

    private func codeLines(width: Int, _ context: Context) -> [StyledLine] {
        guard showsCodes else {
            let codes = report.codes.isEmpty ? "" : "\(report.codes.joined(separator: ", ")). "
            return StyledLine.wrap("\(codes)\(key(of: "codes", context)) shows the codes.", to: width, style: .muted)
        }
        let meanings = StyledLine.facts(report.meanings, width: width, glyphs: context.glyphs)
        return StyledLine.facts(report.facts(in: context.options.timeZone), width: width, glyphs: context.glyphs)
            + (meanings.isEmpty ? [] : [.empty, StyledLine("What the codes mean", Style(.muted, .bold))] + meanings)
    }

    /// A countdown until the server accepts requests again.
    private func advice(_ context: Context) -> String {
        guard report.retryDate != nil else { return report.bestAdvice.onScreen }
        return report.wait(at: context.now).map { "Try again in \(Moment.countdown($0))." } ?? "Try again now."
    }

    /// How to edit what the error blames, if Enter does something else.
    private func edit(_ context: Context) -> String? {
        guard nextStep != .changeProfile, context.canEditProfile == .available else { return nil }
        return report.blamedField.map { "Edit the profile's \($0.phrase)" }
    }
}

extension Destination {
    static func failure(_ report: Failure, _ attempt: Attempt, _ flow: EffectID? = nil) -> Destination {
        Destination(FailureState(report: report, attempt: attempt, flow: flow))
    }
}
