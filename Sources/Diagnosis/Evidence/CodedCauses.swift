import MSAL

/// The error that ended the sign-in, explained by the dictionary of errors.
enum CodedCauses {
    /// Errors while the user hasn't entered the device code.
    private static let polling: Set<String> = ["AADSTS70016", "authorization_pending", "slow_down"]
    /// Errors of a normal sign-in, unless it ends with one of them.
    private static let harmless = polling.union(
        [50058, 50140, 50199, 50168, 51005, 81010, 81012].map { "AADSTS\($0)" })

    /// Numbers that leave several causes open, which are guesses.
    private static let unexplained = Set(
        KnownCause.bundled.filter { $0.strength == .guessed }.flatMap(\.numbers).map(String.init))

    @Sendable static func rejection(_ evidence: Evidence) -> Cause? {
        let cause = fromSteps(evidence, ignoring: harmless) ?? fromLog(evidence)
        return cause ?? (evidence.success == nil ? fromSteps(evidence, ignoring: polling) : nil)
    }

    private static func fromSteps(_ evidence: Evidence, ignoring ignored: Set<String>) -> Cause? {
        for step in evidence.steps.reversed() {
            guard let rejection = step.rejection, !polling.contains(rejection.error) else { continue }
            let codes = rejection.codes.filter { !ignored.contains($0.text) }
            guard codes.isEmpty == rejection.codes.isEmpty else { continue }
            let entry = codes.lazy.compactMap(\.entry).first
            let unlisted = entry == nil ? codes.first?.text : nil
            return cause(
                entry ?? rejection.phrase ?? ErrorDictionary.bundled.entry(.oauth, rejection.error), evidence,
                unlisted: unlisted ?? Privacy.text(rejection.error, of: "error", for: .explanation),
                facts: step.exchange.outcome, at: step.number)
        }
        return nil
    }

    /// The most specific error of a log. A code that isn't listed falls back to the error beside it.
    private static func fromLog(_ evidence: Evidence) -> Cause? {
        guard let log = evidence.log else { return nil }
        let text = ErrorText(log)
        // An error of keyturn has its own cause.
        let own = log.ownError?.lines
        // Libraries also say so of ID tokens.
        let others = harmless.union(unexplained).union(evidence.steps(.device).isEmpty ? ["expired_token"] : [])
        let found = text.mentions.first { !others.contains($0.entry.code) && own?.contains($0.line) != true }
        if let unlisted = text.unlisted.first(where: { own?.contains($0.line) != true }),
            ![.sts, .b2c].contains(found?.entry.kind)
        {
            return cause(found?.entry, evidence, unlisted: unlisted.code.text, at: unlisted.line)
        }
        guard let found else { return nil }
        var cause = cause(found.entry, evidence, at: found.line)
        if found.entry.name == "Redirect URI", let sent = evidence.steps(.authorize).last?.parameters["redirect_uri"] {
            cause.facts = [.parameter("redirect_uri", sent, labelled: "Sent")]
        }
        return cause
    }

    /// - Parameter unlisted: the code that the dictionary lacks, or that `entry` explains.
    private static func cause(
        _ entry: ErrorDictionary.Entry?, _ evidence: Evidence, unlisted: String = "", facts: [Fact] = [],
        at position: Int
    ) -> Cause {
        guard let entry else {
            return Cause(
                id: unlisted, strength: .named, subject: unlisted,
                headline: "The authority returned an error that Keyturn doesn't know.", facts: facts,
                fix: "Read the description beside the error, or look it up in the provider's documentation.",
                positions: [position])
        }
        let isUnlisted = unlisted.hasPrefix("AAD") && unlisted != entry.code
        return Cause(
            id: entry.cause ?? entry.code, strength: entry.kind.strength, subject: entry.heading,
            headline: entry.meaning + (isUnlisted ? " Keyturn doesn't know \(unlisted)." : ""),
            fix: entry.advice.text(in: evidence), who: entry.who, positions: [position])
    }
}

extension ErrorDictionary.Kind {
    fileprivate var strength: CauseStrength {
        switch self {
        case .sts, .b2c: .coded
        case .phrase: .worded
        case .oauth, .suberror, .msal, .broker: .named
        }
    }
}
