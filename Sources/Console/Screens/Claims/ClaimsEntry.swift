import Diagnosis
import Foundation
import TerminalUI

extension Destination {
    static let tokenEntry = Destination(ClaimsEntry())
}

struct ClaimsEntry: EntryScreen {
    enum Layer: String, KeyLayer { case all = "Paste a token" }

    var entry = DialogField()

    func title(_ context: Context) -> String { "Read a token" }

    func message(_ context: Context) -> String {
        "Paste a token to decode it on this computer. It is neither sent nor saved. \(context.keyRequests)"
    }

    /// Only the text's length, because anyone who sees a token can use it.
    func shown(in width: Int, _ context: Context) -> String {
        let count = field.text.count
        guard count > 0 else { return "" }
        return "\(String(repeating: context.glyphs.bullet, count: min(12, count))) \(Moment.count(count, "character"))"
    }

    static let commands: [Command] = [
        Command("readToken", [.enter], "Read the pasted token.", hint: "read", inLines: .absent) {
            $0.read($0.entry.text, &$1)
        },
        offline, back("Discard the pasted text and go back.", hint: "back"), interrupt,
    ]

    /// Reads a paste at once. A paste into a text becomes part of it, and one after a mistake replaces it.
    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        let whole = (entry.problem == nil ? entry.text : "") + text
        entry = DialogField(whole)
        return read(whole, &context)
    }

    private mutating func read(_ text: String, _ context: inout Context) -> Reaction {
        do throws(PastedClaims.Rejection) {
            let claims = try PastedClaims(text, at: context.now ?? .distantPast)
            return .move(.replace(.pastedToken(claims, Explainer.stripped(text))))
        } catch {
            entry.problem = error.reason
            return .none
        }
    }

    func question(_ context: Context) -> LineQuestion? { LineQuestion(prompt: Layer.all.rawValue, isSecret: true) }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        guard !text.isEmpty else { return .move(.back) }
        defer { context.notice = entry.problem.map { Notice(.warning, $0) } }
        return read(text, &context)
    }
}
