/// What an error code says, or a message with codes in it.
struct ErrorExplanation {
    let explanation: Explanation

    /// `nil` when the dictionary has none of it.
    init?(_ text: String) {
        let entries = ErrorDictionary.bundled.entries(for: text)
        guard let first = entries.first else { return nil }
        let summary =
            entries.count == 1 ? "An error of: \(first.source)." : "What the text names, most likely first."
        explanation = Explanation(.errorCode, summary, sections: entries.map { Explanation.Section($0) })
    }
}

extension Explanation.Section {
    init(_ entry: ErrorDictionary.Entry) {
        let title = [entry.code, entry.name].compactMap(\.self).joined(separator: "  ")
        self.init(
            title: title,
            rows: [
                .init("Meaning", entry.meaning), .init("What next", entry.nextStep),
                .init("Defined by", entry.source),
            ])
    }
}
