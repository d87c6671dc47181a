import TerminalUI

/// A screen that asks before something is done, over the one that it is about. Nothing but its keys answers it.
protocol Question: ConsoleScreen {
    /// The answer that is marked.
    var focus: DialogFocus { get set }
    var dialog: Dialog { get }
    /// What yes leads to.
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
    ///   - sentence: what yes does.
    ///   - dangerous: it destroys something.
    static func answers(yes sentence: String, dangerous: Bool = false) -> [Command] {
        [
            Command("choose", [.enter], "Give the answer that is marked.", hint: "choose", inLines: .absent) {
                $0.focus == .confirm ? $0.confirmed(&$1) : .move(.close())
            },
            Command(
                "moveFocus", [.tab, .backTab, .left, .right, .character("h"), .character("l")],
                "Mark the other answer.",
                hint: "other answer", inLines: .absent
            ) { question, _ in
                question.focus = question.focus.other
                return .none
            },
            Command("confirm", [.character("y")], sentence, hint: "yes", dangerous: dangerous) { $0.confirmed(&$1) },
            Command("decline", [.character("n"), .escape, .character("q")], "No, leave it.", hint: "no") { _, _ in
                .move(.close())
            },
            interrupt,
        ]
    }
}
