import MSAL
import TerminalUI

extension Destination {
    static func export(_ choices: [Export]) -> Destination { Destination(ExportState(choices)) }
}

/// Asks where to write a file. The ending of its name chooses among several kinds.
struct ExportState: EntryScreen, WorkingScreen {
    enum Layer: String, KeyLayer { case all = "Export" }

    static let closing = Wait.Closing.leave

    private let choices: [Export]
    var entry: DialogField
    /// The path of an existing file that the user was asked to replace.
    private var existing: String?
    /// The writing of the file, or the reading of the folder whose names complete its path.
    var running: EffectID?
    private var isCompleting = false
    /// Whether the user has typed the path, so that Tab completes it.
    private var isTyped = false

    init(_ choices: [Export]) { (self.choices, entry) = (choices, DialogField(choices.first?.path ?? "")) }

    func message(_ context: Context) -> String {
        guard running == nil || isCompleting else { return "Writing \(choice(for: field.text)?.name ?? "the file")." }
        guard choices.count > 1 else { return "File for \(choices.first?.name ?? ""):" }
        let kinds = choices.map { "\($0.ending.isEmpty ? "none" : $0.ending) \($0.kind)" }.joined(separator: ", ")
        return "File, with the ending of its kind: \(kinds)."
    }

    static let commands: [Command] = [
        Command("save", [.enter], "Write the file.", hint: "write", inLines: .absent) { $0.write($0.entry.text, &$1) },
        Command(
            "nextKind", [.tab], "Change the ending to the next kind, or complete a typed path.", hint: "next kind",
            hintNow: { state, _ in state.changesKind ? nil : "complete" }, inLines: .absent
        ) { state, context in
            guard state.changesKind else { return state.complete(&context) }
            state.changeKind()
            return .none
        },
        back("Close the dialog. A file that is being written is still written.", hint: "close"), interrupt,
    ]

    private func choice(for path: String) -> Export? {
        let ending = Export.ending(of: path).lowercased()
        if let choice = choices.first(where: { $0.ending == ending }) { return choice }
        // A copy can have any name.
        return choices.first { if case .redactedCopy = $0.content { true } else { choices.count == 1 } }
    }

    private mutating func changeKind() {
        let path = field.text
        guard let next = choices.next(after: choice(for: path)) else { return }
        let stem = path.dropLast(Export.ending(of: path).count)
        // A name that the user typed stays.
        let isProposed = choices.contains { $0.path == path }
        entry = DialogField(isProposed ? next.path : stem + next.ending)
    }

    private var changesKind: Bool { choices.count > 1 && !isTyped }

    private mutating func complete(_ context: inout Context) -> Reaction {
        guard running == nil else { return .none }
        (isCompleting, existing, entry.problem) = (true, nil, nil)
        return start(.listFolder(TypedFileName(field.text).folder), &context)
    }

    private mutating func write(_ path: String, _ context: inout Context) -> Reaction {
        guard running == nil else { return .none }
        guard var choice = choice(for: path), !path.isEmpty else {
            entry.problem = path.isEmpty ? "Enter a file name." : "No kind has this ending."
            return .none
        }
        choice.path = TypedFileName(path).path
        entry.hush()
        return start(.export(choice, replaces: existing == choice.path, context.profile), &context)
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard running == nil, entry.press(key) else { return nil }
        (existing, isTyped) = (nil, true)
        return Reaction.none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .folder(let outcome) = result {
            isCompleting = false
            entry.complete(among: outcome)
        }
        guard case .exported(let export, let outcome) = result else { return .none }
        switch outcome {
        case .success(let exported):
            context.notice = exported.notice(of: export.name)
            return .move(.close())
        case .failure(let report) where report.name == "exists":
            (existing, entry.problem) = (export.path, "The file already exists. Press Enter to replace it.")
        case .failure(let report): entry.problem = report.paragraph
        }
        return .none
    }

    func lines(_ context: Context) -> [String] { [entry.problem ?? message(context)] }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: existing == nil ? "File [\(field.text)]" : "Replace it [\(field.text)], or another file")
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        if !text.isEmpty { entry = DialogField(text) }
        return write(field.text, &context)
    }
}

extension Export {
    private static let kinds = [
        ".svg": "SVG", ".mmd": "Mermaid", ".html": "handout", ".har": "HAR 1.2", ".zip": "case", "": "case folder",
    ]

    fileprivate var kind: String { Self.kinds[ending] ?? "text" }
}
