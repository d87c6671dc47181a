/// Explains an error code, or a message that contains codes.
struct ErrorExplanation {
    let explanation: Explanation

    /// `nil` if the dictionary has no entry.
    init?(_ text: String) {
        let entries = ErrorDictionary.bundled.entries(for: text)
        guard let first = entries.first else { return nil }
        let summary =
            entries.count == 1 ? "An error from \(first.source)." : "Matching errors, most likely first."
        explanation = Explanation(.errorCode, summary, sections: entries.map { Explanation.Section($0) })
    }
}

extension Explanation.Section {
    init(_ entry: ErrorDictionary.Entry) {
        let title = [entry.code, entry.name].compactMap(\.self).joined(separator: "  ")
        self.init(
            title: title,
            rows: [
                .init("Meaning", entry.meaning), .init("Next step", entry.nextStep),
                .init("Defined by", entry.source),
            ])
    }
}
