/// The text of a dialog with one field, and what is said about it.
package struct DialogField: Sendable, Equatable {
    package private(set) var field = TextField()
    package var problem: String?
    /// What the text can be completed to.
    package var choices: [String] = []

    package init(_ text: String = "") { field = TextField(text) }

    package var text: String { field.text }

    /// Edits the text, about which nothing is then said. Returns false if the key doesn't edit.
    package mutating func press(_ key: Key) -> Bool {
        guard field.press(key) else { return false }
        hush()
        return true
    }

    package mutating func insert(_ text: String) {
        hush()
        if !field.insert(text) { problem = "The text is too long: at most \(TextField.mostBytes >> 10) KiB fit." }
    }

    package mutating func hush() { (problem, choices) = (nil, []) }

    private static let widest = 60

    /// - Parameter shown: what the field shows of its text in a width.
    package func draw(
        _ title: String, _ message: String, on surface: inout Surface, in rect: Rect, shown: (Int) -> String
    ) {
        let width = min(Self.widest, rect.width)
        let message = StyledLine.wrap(message, to: width - 4)
        let mark = surface.glyphs.cross
        let below =
            (problem.map { StyledLine.wrap("\(mark) \($0)", to: width - 4, style: .danger) } ?? [])
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

    private static let mostLines = 8

    private func choiceLines(most: Int) -> [StyledLine] {
        let most = min(Self.mostLines, max(1, most))
        let shown = choices.count > most ? choices.prefix(most - 1) : choices[...]
        let more = choices.count - shown.count
        return shown.map { StyledLine(Printable.sanitize($0)) }
            + (more > 0 ? [StyledLine("and \(more) more", .muted)] : [])
    }
}

extension TextField {
    /// The end of the text if it doesn't fit in a width.
    package func tail(in width: Int) -> String {
        DisplayWidth.of(text) > width ? String(text.suffix(max(0, width / 2))) : text
    }
}
