import Diagnosis

/// What a user pasted, in a few words and without its content, which can be secret.
enum PastedText {
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
