/// That a copy doesn't show what the original shows.
package struct CopyLoss: Sendable, Equatable {
    /// What the original shows, in a sentence.
    package let original: String
    /// What the copy shows; `nil` if it isn't recognised.
    package let copy: String?
    /// Whether the original states a cause that nothing explains.
    var isUnknown = false

    /// What to tell who shares the copy.
    package var sentence: String {
        isUnknown
            ? "Keyturn doesn't know the cause, so it can't tell whether the copy shows it. Read the copy first."
            : "The copy shows another cause. The original: \(original) "
                + (copy.map { "The copy: \($0)" } ?? "The copy isn't recognised.")
    }
}

extension Explainer {
    /// A copy of a text or recording, explained again.
    func copy(
        of bytes: [UInt8], _ archive: HARFile?, explained: Explanation, hiding texts: [String]
    ) -> Redaction {
        var redaction = archive.map { Redaction($0, hiding: texts) } ?? Redaction(lines: bytes, hiding: texts)
        let copy = try? explain(file: Array(redaction.text.utf8))
        redaction.copied = copy
        if copy?.gist != explained.gist || explained.cause == Cause.unknown {
            redaction.loss = CopyLoss(
                original: explained.told, copy: copy?.told, isUnknown: explained.cause == Cause.unknown)
        }
        return redaction
    }
}

extension Explanation {
    /// What must be the same in a copy: the name of the cause, the sentence of the first finding, or the summary.
    fileprivate var gist: String {
        if let cause { return cause }
        if let finding = findings.first { return finding.fact.withoutValues }
        return kind == .log ? kind.rawValue : summary.withoutValues
    }

    fileprivate var told: String { findings.first.map { "\($0.subject): \($0.fact)" } ?? summary }
}

extension String {
    /// Without values: quoted texts, URLs, GUIDs and names with dots, which a copy replaces.
    fileprivate var withoutValues: String {
        replacing(#/"[^"]*"|“[^”]*”|\S+:\/\/\S*|\S*[0-9A-Fa-f]{8}-\S+|\S+\.\S+/#, with: "…")
    }
}
