import Diagnosis
import Foundation
import TerminalUI

extension Destination {
    static let tokenEntry = Destination(TokenEntry())
}

/// The dialog to paste a token into.
struct TokenEntry: TypingScreen, PromptingScreen {
    enum Layer: String, KeyLayer { case all = "Paste a token" }

    static let cover = Cover.over

    private(set) var field = TextField()

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        PasteDialog(
            title: "Read a token",
            message:
                "Paste a token to decode it on this computer. It is neither sent nor saved. \(context.keyRequests)",
            shown: { _ in shown(context) }
        ).draw(on: &surface, in: rect)
    }

    /// Only the text's length, because anyone who sees a token can use it.
    private func shown(_ context: Context) -> String {
        let count = field.text.count
        guard count > 0 else { return "" }
        return "\(String(repeating: context.glyphs.bullet, count: min(12, count))) \(Moment.count(count, "character"))"
    }

    static let commands: [Command] = [
        Command("readToken", [.enter], "Read the pasted token.", hint: "read", inLines: .absent) { entry, context in
            entry.paste(entry.field.text, &context)
        },
        offline, back("Discard the pasted text and go back.", hint: "back"),
        interrupt,
    ]

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { field.press(key) ? Reaction.none : nil }

    func paste(_ text: String, _ context: inout Context) -> Reaction {
        do throws(PastedToken.Rejection) {
            return .move(
                .replace(
                    .pastedToken(try PastedToken(text, at: context.now ?? .distantPast), Explainer.stripped(text))))
        } catch {
            context.notice = Notice(.warning, error.reason)
            return .move(.close())
        }
    }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: Layer.all.rawValue, isSecret: true)
    }

    func reply(_ text: String, _ context: inout Context) -> Reaction {
        text.isEmpty ? .move(.back) : paste(text, &context)
    }
}
