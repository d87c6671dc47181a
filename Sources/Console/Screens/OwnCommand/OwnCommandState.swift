import TerminalUI

extension Destination {
    static func run(_ command: OwnCommand, _ account: AccountSummary) -> Destination {
        let state = OwnCommandState(command: command, account: account)
        return Destination(state, starting: state.work)
    }
}

/// A program of the user's, while it runs and after it has ended.
struct OwnCommandState: TextScreen, CopyingScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Your command" }

    let command: OwnCommand
    let account: AccountSummary
    var running: EffectID?
    var outcome: Outcome<EndedCommand>?
    var pane = TextPane()

    fileprivate func work(_ context: Context) -> Work {
        .runCommand(command, account: context.name(of: account), profile: context.profile?.name ?? "")
    }

    func title(_ context: Context) -> String { command.title }

    func text(in area: Rect, _ context: Context) -> [StyledLine] {
        let width = max(1, area.width - ScrollingText.margin)
        guard running == nil, let outcome else {
            return StyledLine.wrap("\(context.spinnerFrame) \(waiting)", to: width)
        }
        switch outcome {
        case .success(let ended):
            let (sign, style): (String, Style) =
                ended.hasSucceeded ? (context.glyphs.check, .success) : (context.glyphs.cross, .danger)
            return StyledLine.wrap("\(sign) \(ended.ending)", to: width, style: style) + [.empty]
                + StyledLine.preformatted(ended.output.text, width: width)
        case .failure(let report):
            return StyledLine.wrap("\(context.glyphs.cross) \(report.reason)", to: width, style: .danger)
                + StyledLine.wrap(report.advice, to: width)
        }
    }

    private var waiting: String {
        "Running \(Printable.sanitize(command.arguments.joined(separator: " "))) for \(account.displayName). It can take "
            + "\(Int(OwnCommand.patience)) seconds."
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .ran(let outcome) = result { (self.outcome, pane) = (outcome, TextPane()) }
        return .none
    }

    func copyable(_ context: Context) -> CopiedText? {
        guard running == nil, case .success(let ended) = outcome, !ended.output.text.isEmpty else { return nil }
        return ended.output
    }

    func lines(_ context: Context) -> [String] {
        switch outcome {
        case .success(let ended): [ended.ending] + ended.output.text.split(separator: "\n").map(String.init)
        case .failure(let report): [report.reason, report.advice]
        case nil: [waiting]
        }
    }

    static let commands: [Command] =
        [
            Command(
                "runAgain", .verb(.again), "Run the command again.", hint: "again",
                if: { state, _ in Availability(state.running == nil, else: "The command is running.") }
            ) { $0.start($0.work($1), &$1) },
            copy("Copy the output to the clipboard."), saveCopy(),
        ] + moving() + finding() + leaving(walks: false)
}
