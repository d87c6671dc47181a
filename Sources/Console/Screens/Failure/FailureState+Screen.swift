import TerminalUI

extension Destination {
    static func failure(_ report: ErrorReport, _ attempt: Attempt, _ flow: EffectID? = nil) -> Destination {
        Destination(FailureState(report: report, attempt: attempt, flow: flow))
    }
}

extension FailureState: ConsoleScreen {
    package enum Layer: String, KeyLayer { case all = "Error" }

    func pace(_ context: Context) -> Pace { report.wait(at: context.now) == nil ? .still : .everySecond }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        FailureView(state: self, context: context).draw(on: &surface, in: rect)
    }

    func extent(_ context: Context) -> Extent? {
        let view = FailureView(state: self, context: context)
        let last = view.lastTop
        return Extent(position: min(top, last), last: last, page: view.pageHeight)
    }

    mutating func go(to position: Int, _ context: inout Context) { top = position }

    func copyable(_ context: Context) -> CopiedText? {
        CopiedText("the error", fileName: "error.txt", report.text(in: context.options.timeZone))
    }

    static let commands: [Command] =
        [
            Command("takeNextStep", [.enter], "Take the suggested next step.", hint: "next step") {
                $0.takeNextStep(&$1)
            },
            Command(
                "tryAgain", [.character("r")], "Try again.", hint: "try again",
                if: { state, _ in state.canTryAgain }
            ) { $0.tryAgain(&$1) },
            Command(
                "signInInstead", [.character("i")],
                "Sign in with the profile's method or the best one here.", hint: "sign in",
                if: { state, _ in
                    if case .removal = state.attempt {
                        return .unavailable("Signing in doesn't help with a removal.")
                    }
                    return state.canTryAgain
                }
            ) { $0.signIn(&$1) },
            profiles(),
            inspect(goes: false, hint: "flow"),
            check(hint: "check"),
            copy("Copy the error to the clipboard."),
            saveCopy(),
            walkOn(),
            // No hint: the status line is full, and the screen names the key.
            report(),
        ] + moving() + finding() + [back("Go back.", hint: "back"), close(closingCancels), interrupt]

    private var canTryAgain: Availability {
        Availability(report.nextStep != .check, else: "It would fail again.")
    }

    /// Does what Enter suggests.
    private func takeNextStep(_ context: inout Context) -> Reaction {
        switch nextStep {
        case .tryAgain: tryAgain(&context)
        case .signIn: signIn(&context)
        case .check: .open(.check)
        case .changeRequest: .move(.replace(.signInForm))
        case .changeProfile: .move(.replace(.profiles))
        }
    }

    /// The suggested next step. For a removal, the only one is to try again.
    var nextStep: NextStep {
        if case .removal = attempt { return .tryAgain }
        return report.nextStep
    }

    private func tryAgain(_ context: inout Context) -> Reaction {
        switch attempt {
        case .signIn(let account, let request, let chain): .move(.replace(.signIn(account, request, in: chain)))
        case .silent(let account, let isForced): .move(.replace(.silent(account, isForced: isForced)))
        case .removal(let account): Reaction(move: .close(), effects: [context.remove(account)])
        }
    }

    private func signIn(_ context: inout Context) -> Reaction {
        switch attempt {
        case .signIn(let account, var request?, _):
            request.method = context.preferredMethod
            let chain = context.chain(startingWith: request.method)
            return .move(.replace(.signIn(account, request, in: chain)))
        case .signIn(let account, nil, _): return .move(.replace(.signIn(account)))
        case .silent(let account, _): return .move(.replace(.signIn(account)))
        case .removal: return tryAgain(&context)
        }
    }

    func lines(_ context: Context) -> [String] {
        ["Error."] + report.text(in: context.options.timeZone).split(separator: "\n").map(String.init)
    }
}
