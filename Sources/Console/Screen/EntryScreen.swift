import TerminalUI

/// The text of a dialog with one field, and what is said about it.
struct DialogField: Sendable, Equatable {
    private(set) var field = TextField()
    /// Why the text wasn't accepted.
    var problem: String?
    /// What the text can be completed to.
    var choices: [String] = []

    init(_ text: String = "") { field = TextField(text) }

    var text: String { field.text }

    /// Edits the text, about which nothing is then said. Returns false if the key doesn't edit.
    mutating func press(_ key: Key) -> Bool {
        guard field.press(key) else { return false }
        hush()
        return true
    }

    mutating func insert(_ text: String) {
        field.insert(text)
        hush()
    }

    mutating func hush() { (problem, choices) = (nil, []) }
}

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
        PasteDialog(title: title(context), message: message(context), entry: entry) { shown(in: $0, context) }
            .draw(on: &surface, in: rect)
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

private struct PasteDialog {
    private static let widest = 60

    let title: String
    let message: String
    let entry: DialogField
    let shown: (Int) -> String

    func draw(on surface: inout Surface, in rect: Rect) {
        let width = min(Self.widest, rect.width)
        let message = StyledLine.wrap(message, to: width - 4)
        let mark = surface.glyphs.cross
        let below =
            (entry.problem.map { StyledLine.wrap("\(mark) \($0)", to: width - 4, style: .danger) } ?? [])
            + choiceLines(most: rect.height - message.count - 4)
        let box = rect.centered(Size(width: width, height: message.count + 4 + below.count))
        surface.fill(box)
        surface.drawBox(box, title: title)
        let (main, last) = box.inset(horizontal: 2, vertical: 1).splitBottom(below.count)
        ScrollingText(below).draw(on: &surface, in: last)
        let (text, row) = main.splitBottom(1)
        ScrollingText(message).draw(on: &surface, in: text)
        surface.fill(row, style: Style(.text, .underline))
        // The last column is the cursor's.
        let edge = surface.writeLine(shown(row.width - 1), in: row.splitRight(1).rest, style: Style(.text, .underline))
        surface.cursor = Surface.Cursor(Point(x: edge, y: row.minY))
    }

    /// The most lines of choices.
    private static let mostLines = 8

    private func choiceLines(most: Int) -> [StyledLine] {
        let most = min(Self.mostLines, max(1, most))
        let shown = entry.choices.count > most ? entry.choices.prefix(most - 1) : entry.choices[...]
        let more = entry.choices.count - shown.count
        return shown.map { StyledLine(Printable.sanitize($0)) }
            + (more > 0 ? [StyledLine("and \(more) more", .muted)] : [])
    }
}

extension TextField {
    /// The end of the text if it doesn't fit in a width.
    func tail(in width: Int) -> String {
        DisplayWidth.of(text) > width ? String(text.suffix(max(0, width / 2))) : text
    }
}
