import TerminalUI

extension Destination {
    static let explain = Destination(ExplainEntry())
}

/// The dialog to paste evidence into, or to name its file.
struct ExplainEntry: TypingScreen, PromptingScreen {
    enum Layer: String, KeyLayer { case all = "Explain" }

    static let cover = Cover.over

    private(set) var field = TextField()

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        PasteDialog(title: Layer.all.rawValue, message: "\(Self.message) \(context.keyRequests)", shown: shown).draw(
            on: &surface, in: rect)
    }

    private static let message =
        "Paste an error, a URL, a token, a response or a log, or enter the name of a file."

    /// The end of the text. Only the length of a text that can be secret, because anyone who sees a token can use it.
    private func shown(in width: Int) -> String {
        let text = field.text
        guard !text.contains("="), !text.contains("eyJ") else { return Moment.count(text.count, "character") }
        return field.tail(in: width)
    }

    static let commands: [Command] = [
        Command("explainText", [.enter], "Explain the text or the file.", hint: "explain", inLines: .absent) {
            entry, context in
            entry.field.isEmpty ? .none : entry.paste(entry.field.text, &context)
        },
        offline, back("Discard the text and go back.", hint: "back"),
        interrupt,
    ]

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { field.press(key) ? Reaction.none : nil }

    func paste(_ text: String, _ context: inout Context) -> Reaction { .move(.replace(.explanation(of: text))) }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: "Error, URL, token or file", isSecret: true)
    }

    func reply(_ text: String, _ context: inout Context) -> Reaction {
        text.isEmpty ? .move(.back) : paste(text, &context)
    }
}
