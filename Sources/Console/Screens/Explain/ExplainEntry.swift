import TerminalUI

extension Destination {
    static let explain = Destination(ExplainEntry())
}

/// The dialog to paste evidence into, or to name its file.
struct ExplainEntry: ConsoleScreen {
    enum Layer: String, KeyLayer { case all = "Explain" }

    static let cover = Cover.over

    private(set) var field = TextField()

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        let width = min(Self.widest, rect.width)
        let message = StyledLine.wrap(Self.message, to: width - 4)
        let box = rect.centered(Size(width: width, height: message.count + 4))
        surface.fill(box)
        surface.drawBox(box, title: Layer.all.rawValue)
        let (text, row) = box.inset(horizontal: 2, vertical: 1).splitBottom(1)
        ScrollingText(message).draw(on: &surface, in: text)
        surface.fill(row, style: Style(.text, .underline))
        let end = surface.writeLine(shown(in: row.width - 1, context), in: row, style: Style(.text, .underline))
        surface.cursor = Surface.Cursor(Point(x: min(end, row.maxX - 1), y: row.minY))
    }

    private static let widest = 60
    private static let message =
        "Paste an error, a URL, a token, a response or a log, or enter the name of a file. Nothing is sent."

    /// The end of the text. Only the length of a text that can be secret, because anyone who sees a token can use it.
    private func shown(in width: Int, _ context: Context) -> String {
        let text = field.text
        guard !text.contains("="), !text.contains("eyJ") else { return Moment.count(text.count, "character") }
        guard DisplayWidth.of(text) > width else { return text }
        return String(text.suffix(max(0, width / 2)))
    }

    static let commands: [Command] = [
        Command("explainText", [.enter], "Explain the text or the file.", hint: "explain", inLines: .absent) {
            entry, context in
            entry.field.isEmpty ? .none : entry.paste(entry.field.text, &context)
        },
        back("Discard the text and go back.", hint: "back"),
        interrupt,
    ]

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { field.press(key) ? Reaction.none : nil }

    func paste(_ text: String, _ context: inout Context) -> Reaction { .move(.replace(.explanation(of: text))) }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: "Error, URL, token or file", isSecret: true)
    }

    func answer(_ text: String, _ context: inout Context) -> Reaction {
        text.isEmpty ? .move(.back) : paste(text, &context)
    }
}
