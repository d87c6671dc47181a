import MSAL
import TerminalUI

extension Destination {
    static let explain = Destination(ExplainEntry())
}

/// The dialog to paste evidence into, or to name its file.
struct ExplainEntry: EntryScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Explain" }

    static let closing = Wait.Closing.cancel

    var entry = DialogField()
    /// The reading of the text or its file, or of the folder whose names complete it.
    var running: EffectID?

    func message(_ context: Context) -> String {
        running == nil ? "\(Self.message) \(context.keyRequests)" : "Reading the input."
    }

    private static let message =
        "Paste an error, a URL, a token, a response or a log, or enter the name of a file."

    /// The end of the text. Only the length of a text that can be secret, because anyone who sees a token can use it.
    func shown(in width: Int, _ context: Context) -> String {
        let isSecret = !isPath && (entry.text.contains("=") || entry.text.contains("eyJ"))
        return isSecret ? Moment.count(entry.text.count, "character") : field.tail(in: width)
    }

    /// Whether the text can only be a path.
    private var isPath: Bool {
        ["/", "./", "../", "~/"].contains(where: TypedFileName(field.text).path.hasPrefix)
    }

    static let commands: [Command] = [
        Command("explainText", [.enter], "Explain the text or the file.", hint: "explain", inLines: .absent) {
            $0.submit(&$1)
        },
        Command(
            "complete", [.tab], "Complete the name of a file, or list the names in a folder.", hint: "complete",
            inLines: .absent
        ) { $0.complete(&$1) },
        offline, back("Discard the text and go back.", hint: "back"),
        interrupt,
    ]

    /// Explains the text. Lists a folder instead.
    private mutating func submit(_ context: inout Context) -> Reaction {
        guard running == nil, !field.isEmpty else { return .none }
        if isPath, field.text.hasSuffix("/") { return complete(&context) }
        entry.hush()
        return start(.explain(field.text, context.profile, isOffline: context.isOffline), &context)
    }

    private mutating func complete(_ context: inout Context) -> Reaction {
        guard running == nil else { return .none }
        entry.hush()
        return start(.listFolder(TypedFileName(field.text).folder), &context)
    }

    /// Explains a paste at once. A paste into a text becomes part of it.
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        guard running == nil else { return .none }
        guard !field.isEmpty else { return .move(.replace(.explanation(of: text))) }
        entry.insert(text)
        return .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .explained(let outcome) = result { return finish(outcome, &context) }
        guard case .folder(let outcome) = result else { return .none }
        switch outcome {
        case .success(let entries): finish(FileCompletion(of: field.text, among: entries))
        case .failure(let report): entry.problem = report.reason
        }
        return .none
    }

    private mutating func finish(_ outcome: Outcome<Explained>, _ context: inout Context) -> Reaction {
        switch outcome {
        case .success(let explained): return .move(.replace(.explanation(explained, of: field.text)))
        case .failure(let report) where report.name == "folder":
            if !field.text.hasSuffix("/") { entry = DialogField(field.text + "/") }
            return complete(&context)
        case .failure(let report):
            entry.problem = [report.reason, report.screenAdvice].filter { !$0.isEmpty }.joined(separator: " ")
            return .none
        }
    }

    private mutating func finish(_ completion: FileCompletion) {
        let isComplete = completion.choices.isEmpty && completion.text == field.text
        entry = DialogField(completion.text)
        (entry.choices, entry.problem) = (completion.choices, isComplete ? "No other name begins like this." : nil)
    }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: "Error, URL, token or file", isSecret: true)
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        text.isEmpty ? .move(.back) : .move(.replace(.explanation(of: text)))
    }
}
