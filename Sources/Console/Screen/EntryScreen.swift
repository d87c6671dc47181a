import MSAL
import TerminalUI

/// A dialog with one field to type or paste into.
protocol EntryScreen: TypingScreen, PromptingScreen {
    var entry: DialogField { get set }
    func message(_ context: Context) -> String
    /// What the field shows of its text in a width: its end, unless it can be secret.
    func shown(in width: Int, _ context: Context) -> String
}

extension EntryScreen {
    static var cover: Cover { .over }

    var field: TextField { entry.field }

    func shown(in width: Int, _ context: Context) -> String { field.tail(in: width) }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        entry.draw(title(context), message(context), on: &surface, in: rect) { shown(in: $0, context) }
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { entry.press(key) ? Reaction.none : nil }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        entry.insert(text)
        return .none
    }
}

extension EntryScreen where Self: WorkingScreen {
    /// While it works, the dialog takes no text, and is closed as a screen.
    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard running == nil else { return key == Verb.close.key ? .move(.back) : nil }
        return entry.press(key) ? Reaction.none : nil
    }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        if running == nil { entry.insert(text) }
        return .none
    }
}

extension DialogField {
    mutating func tell(_ report: Failure) {
        problem = [report.reason, report.screenAdvice].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Completes the name of a file as far as the names in its folder agree.
    mutating func complete(among entries: Outcome<[FolderEntry]>) {
        switch entries {
        case .success(let entries):
            let completion = FileCompletion(of: text, among: entries)
            let isComplete = completion.choices.isEmpty && completion.text == text
            self = DialogField(completion.text)
            (choices, problem) = (completion.choices, isComplete ? "No other name begins like this." : nil)
        case .failure(let report): problem = report.reason
        }
    }
}
