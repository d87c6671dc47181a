@testable import Diagnosis

/// `docs/causes.md`, made from the rows.
enum CauseDocument {
    static func text(_ causes: [KnownCause]) -> String {
        """
        # Causes that a text states

        Made from `Resources/causes.json` by a test: change that file. [Explain a failed sign-in](explain.md#causes) describes the causes
        that Keyturn finds in requests, and [decision 46](decisions/0046-causes-as-data.md) the order of causes.


        """
            + CauseStrength.allCases.map { section($0, causes.filter { [strength = $0] in $0.strength == strength }) }
            .joined()
    }

    private static func section(_ strength: CauseStrength, _ causes: [KnownCause]) -> String {
        guard !causes.isEmpty else { return "" }
        let rows = causes.sorted { ($0.subject, $0.id) < ($1.subject, $1.id) }.map { cause in
            "| \(cause.subject) | \(escaped(cause.headline)) | \(escaped(cause.fix.general)) | \(cause.actor.rawValue) | \(proof(cause)) |\n"
        }
        return
            "## \(title(strength))\n\n| Subject | Cause | Next step | Who | Stated by |\n|---|---|---|---|---|\n\(rows.joined())\n"
    }

    private static func title(_ strength: CauseStrength) -> String {
        switch strength {
        case .observed: "Observed"
        case .stated: "Stated by a sentence or number"
        case .coded: "Named by a code"
        case .worded: "Worded as the code's own text"
        case .named: "Named in general"
        case .guessed: "Only possible"
        }
    }

    private static func proof(_ cause: KnownCause) -> String {
        let texts = cause.phrases.prefix(2).map { phrase in
            "`\(escaped(phrase.text.replacing("`", with: "'")))`" + (phrase.product.map { " (\($0))" } ?? "")
        }
        let numbers = cause.numbers.prefix(2).map { "\($0)" }
        let sentences = Set(cause.cells.map(\.subject)).sorted().map { "a sentence about the \($0)" }
        let more = cause.phrases.count + cause.numbers.count - texts.count - numbers.count
        return (sentences + texts + numbers).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
            + (cause.with.isEmpty ? "" : ", with other texts")
    }

    private static func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
