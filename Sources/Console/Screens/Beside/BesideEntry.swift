import TerminalUI

extension Destination {
    /// - Parameter source: the explained text, or the name of its file.
    static func beside(_ source: String, name: String?) -> Destination { Destination(BesideEntry(source, name: name)) }
}

/// Asks for the recording to compare with.
struct BesideEntry: EntryScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Compare" }

    static let closing = Wait.Closing.cancel

    private let source: String
    private let name: String?
    var entry = DialogField()
    var running: EffectID?

    init(_ source: String, name: String?) { (self.source, self.name) = (source, name) }

    private static let message = "File of a recording that works, for example another user's."

    func message(_ context: Context) -> String { running == nil ? Self.message : "Comparing." }

    static let commands: [Command] = [
        Command("compareWith", [.enter], "Compare with this file.", hint: "compare", inLines: .absent) {
            $0.submit($0.entry.text, &$1)
        },
        back("Close the dialog.", hint: "back"), interrupt,
    ]

    private mutating func submit(_ text: String, _ context: inout Context) -> Reaction {
        guard running == nil, !text.isEmpty else { return .none }
        entry.hush()
        return start(.compare(source, with: text), &context)
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .compared(let outcome) = result else { return .none }
        switch outcome {
        case .success(let comparison):
            return .move(.replace(.comparison(comparison, of: name ?? "the text", with: entry.text)))
        case .failure(let report):
            entry.problem = [report.reason, report.screenAdvice].filter { !$0.isEmpty }.joined(separator: " ")
            return .none
        }
    }

    // Line mode.

    func lines(_ context: Context) -> [String] { [entry.problem ?? Self.message] }

    func question(_ context: Context) -> LineQuestion? { LineQuestion(prompt: "File") }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        entry = DialogField(text)
        return submit(text, &context)
    }
}
