import TerminalUI

/// A dialog that asks for confirmation. Only its keys answer it.
protocol Question: ConsoleScreen {
    /// The focused button.
    var focus: DialogFocus { get set }
    var dialog: Dialog { get }
    /// The reaction to yes.
    func confirmed(_ context: inout Context) -> Reaction
}

package enum DialogFocus: Sendable, Equatable {
    case cancel, confirm

    package var other: DialogFocus { self == .cancel ? .confirm : .cancel }
}

extension Question {
    static var cover: Cover { .over }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        dialog.draw(on: &surface, in: rect)
    }

    func lines(_ context: Context) -> [String] {
        "\(dialog.title)\n\(dialog.message)".split(separator: "\n").map(String.init)
    }

    /// - Parameters:
    ///   - sentence: the description of yes.
    ///   - dangerous: whether yes deletes something.
    static func answers(yes sentence: String, dangerous: Bool = false) -> [Command] {
        [
            Command("choose", [.enter], "Choose the selected answer.", hint: "choose", inLines: .absent) {
                $0.focus == .confirm ? $0.confirmed(&$1) : .move(.close())
            },
            Command(
                "moveFocus", [.tab, .backTab, .left, .right, .character("h"), .character("l")],
                "Select the other answer.",
                hint: "other answer", inLines: .absent
            ) { question, _ in
                question.focus = question.focus.other
                return .none
            },
            Command("confirm", [.character("y")], sentence, hint: "yes", dangerous: dangerous) { $0.confirmed(&$1) },
            Command("decline", [.escape, .character("q")], "No, cancel.", hint: "no") { _, _ in
                .move(.close())
            },
            interrupt,
        ]
    }
}
