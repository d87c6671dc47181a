import Diagnosis
import TerminalUI

/// What a user pasted, in a few words and without its content, which can be secret.
enum PastedText {
    /// More characters at once than a user types ahead, with more different ones than a held key has.
    private static let (fewestTyped, fewestDifferent) = (8, 4)

    /// The text that a terminal without bracketed paste sent as keys; nil if they can be typed ones.
    static func unbracketed(_ keys: [Key]) -> String? {
        let characters = keys.compactMap { key -> Character? in key == .enter ? "\n" : key == .tab ? "\t" : key.typed }
        let isPaste =
            characters.count == keys.count && keys.count >= fewestTyped && Set(characters).count >= fewestDifferent
        return isPaste ? String(characters) : nil
    }

    static func name(of text: String) -> String {
        if let count = HARFile.requestCount(in: Array(text.utf8)) {
            return "a HAR of \(Moment.count(count, "request"))"
        }
        let word = Explainer.stripped(text)
        if word.hasPrefix("eyJ"), word.contains("."), !word.contains(where: \.isWhitespace) { return "a token" }
        if word.hasPrefix("https://") || word.hasPrefix("http://"), !word.contains(where: \.isWhitespace) {
            return "a URL"
        }
        let lines = text.split(whereSeparator: \.isNewline).count
        return lines > 1 ? "a text of \(lines) lines" : "a text of \(Moment.count(text.count, "character"))"
    }
}
