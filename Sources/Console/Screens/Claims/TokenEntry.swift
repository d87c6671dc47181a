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
    /// Why the text isn't accepted.
    private var problem: String?

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        PasteDialog(
            title: "Read a token",
            message:
                "Paste a token to decode it on this computer. It is neither sent nor saved. \(context.keyRequests)",
            problem: problem, shown: { _ in shown(context) }
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
            entry.read(entry.field.text, &context)
        },
        offline, back("Discard the pasted text and go back.", hint: "back"),
        interrupt,
    ]

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        guard field.press(key) else { return nil }
        problem = nil
        return Reaction.none
    }

    /// Reads a paste at once. A paste into a text becomes part of it, and one after a mistake replaces it.
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        let whole = (problem == nil ? field.text : "") + text
        field = TextField()
        field.insert(whole)
        return read(whole, &context)
    }

    private mutating func read(_ text: String, _ context: inout Context) -> Reaction {
        do throws(PastedToken.Rejection) {
            return .move(
                .replace(
                    .pastedToken(try PastedToken(text, at: context.now ?? .distantPast), Explainer.stripped(text))))
        } catch {
            problem = error.reason
            return .none
        }
    }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: Layer.all.rawValue, isSecret: true)
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        guard !text.isEmpty else { return .move(.back) }
        defer { context.notice = problem.map { Notice(.warning, $0) } }
        return read(text, &context)
    }
}
