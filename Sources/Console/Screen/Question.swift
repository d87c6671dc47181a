import TerminalUI

/// A dialog that asks for confirmation. Only its keys answer it.
protocol Question: ConsoleScreen {
    var focus: DialogFocus { get set }
    /// Whether keys answer it. One that opens by itself sleeps until what was typed before is forgotten.
    var isAwake: Bool { get set }
    var message: String { get }
    /// From left to right, as in ``DialogFocus``.
    var buttons: [Dialog.Button] { get }
    func confirmed(_ context: inout Context) -> Reaction
    /// The reaction to a button. With two, they are no and yes.
    func chosen(_ button: DialogFocus.Button, _ context: inout Context) -> Reaction
}

package struct DialogFocus: Sendable, Equatable {
    enum Button: Int, Sendable { case cancel, confirm, other, further }

    var button: Button
    var top = 0

    static let cancel = DialogFocus(button: .cancel)
    static let confirm = DialogFocus(button: .confirm)
}

extension Question {
    static var cover: Cover { .over }

    var isAwake: Bool {
        get { true }
        set {}
    }

    var dialog: Dialog {
        Dialog(
            title: layer.rawValue, message: message, buttons: buttons,
            focused: focus.button.rawValue, offset: focus.top)
    }

    func chosen(_ button: DialogFocus.Button, _ context: inout Context) -> Reaction {
        button == .cancel ? .move(.close()) : confirmed(&context)
    }

    /// Moves the focus by buttons, to the right if positive.
    mutating func moveFocus(by distance: Int) -> Reaction {
        let count = dialog.buttons.count
        focus.button = DialogFocus.Button(rawValue: (focus.button.rawValue + distance + count) % count) ?? .cancel
        return .none
    }

    /// Scrolls a message that the window cuts, and at its end moves the focus.
    mutating func move(by direction: Int, _ context: Context) -> Reaction {
        let (rows, last) = dialog.extent(in: context.frame.body)
        let top = max(0, min(last, focus.top + direction * max(1, rows - 1)))
        guard top != focus.top else { return moveFocus(by: direction) }
        focus.top = top
        return .none
    }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) { dialog.draw(on: &surface, in: rect) }

    func lines(_ context: Context) -> [String] {
        "\(dialog.title)\n\(dialog.message)".split(separator: "\n").map(String.init)
    }

    static func choices(
        yes sentence: String, hint: String = "yes", no: String = "No, go back.", dangerous: Bool = false
    ) -> [Command] {
        [
            Command("choose", [.enter], "Press the selected button.", hint: "choose", inLines: .absent) {
                $0.chosen($0.focus.button, &$1)
            },
            Command(
                "moveFocus", [.tab, .right, .character("l")], "Select the next button.", hint: "next button",
                inLines: .absent
            ) { question, _ in question.moveFocus(by: 1) },
            Command(
                "moveFocusBack", [.backTab, .left, .character("h")], "Select the previous button.", inLines: .absent
            ) { question, _ in question.moveFocus(by: -1) },
            Command("down", [.down], "Read on, or select the next button.", group: .moving, inLines: .absent) {
                $0.move(by: 1, $1)
            },
            Command("up", [.up], "Read back, or select the previous button.", group: .moving, inLines: .absent) {
                $0.move(by: -1, $1)
            },
            Command("confirm", [.character("y")], sentence, hint: hint, dangerous: dangerous) { $0.confirmed(&$1) },
            Command("decline", [.character("n"), .escape] + .verb(.close), no, hint: "no") { _, _ in .move(.close()) },
            interrupt,
        ]
    }
}
