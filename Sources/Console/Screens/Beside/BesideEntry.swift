import TerminalUI

extension Destination {
    /// - Parameter source: the explained text, or the name of its file.
    static func beside(_ source: String, name: String?) -> Destination { Destination(BesideEntry(source, name: name)) }
}

/// Asks for the recording to compare with.
struct BesideEntry: TypingScreen, PromptingScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Compare" }

    static let cover = Cover.over
    static let closing = Wait.Closing.cancel

    private let source: String
    private let name: String?
    private(set) var field = TextField()
    private var problem: String?
    var running: EffectID?

    init(_ source: String, name: String?) { (self.source, self.name) = (source, name) }

    private static let message = "File of a recording that works, for example another user's."

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        PasteDialog(
            title: Layer.all.rawValue, message: running == nil ? Self.message : "Comparing.", problem: problem,
            shown: field.tail
        ).draw(on: &surface, in: rect)
    }

    static let commands: [Command] = [
        Command("compareWith", [.enter], "Compare with this file.", hint: "compare", inLines: .absent) {
            $0.submit($0.field.text, &$1)
        },
        back("Close the dialog.", hint: "back"), interrupt,
    ]

    private mutating func submit(_ text: String, _ context: inout Context) -> Reaction {
        guard running == nil, !text.isEmpty else { return .none }
        problem = nil
        return start(.compare(source, with: text), &context)
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard running == nil else { return key == Verb.close.key ? .move(.back) : nil }
        guard field.press(key) else { return nil }
        problem = nil
        return Reaction.none
    }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        if running == nil { field.insert(text) }
        return .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .compared(let outcome) = result else { return .none }
        switch outcome {
        case .success(let comparison):
            return .move(.replace(.comparison(comparison, of: name ?? "the text", with: field.text)))
        case .failure(let report):
            problem = [report.reason, report.screenAdvice].filter { !$0.isEmpty }.joined(separator: " ")
            return .none
        }
    }

    // Line mode.

    func lines(_ context: Context) -> [String] { [problem ?? Self.message] }

    func question(_ context: Context) -> LineQuestion? { LineQuestion(prompt: "File") }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        field = TextField(text)
        return submit(text, &context)
    }
}
