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
            let dictionary = ErrorDictionary.bundled
            let name = Privacy.text(rejection.error, of: "error", for: .explanation)
            let entry = codes.lazy.compactMap(\.entry).first
            let unlisted = entry == nil ? codes.first?.text : nil
            let other = rejection.phrase ?? dictionary.entry(.oauth, rejection.error)
            return cause(
                entry ?? other, evidence, unlisted: unlisted ?? name, facts: step.exchange.outcome,
                at: step.exchange.number)
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
        if let unlisted = text.unlisted.first(where: { own?.contains($0.line) != true }), found?.entry.kind != .sts,
            found?.entry.kind != .b2c
        {
            return cause(found?.entry, evidence, unlisted: unlisted.code.text, at: unlisted.line)
        }
        let sent = evidence.steps(.authorize).last?.exchange.parameters["redirect_uri"]
        return found.map { found in
            var cause = cause(found.entry, evidence, at: found.line)
            if found.entry.name == "Redirect URI", let sent {
                cause.facts = [.parameter("redirect_uri", sent, labelled: "Sent")]
            }
            return cause
        }
    }

    /// - Parameters:
    ///   - unlisted: the code that the dictionary lacks, or that `entry` explains.
    ///   - facts: what is known of an error without an entry.
    private static func cause(
        _ entry: ErrorDictionary.Entry?, _ evidence: Evidence, unlisted: String = "", facts: [Fact] = [],
        at position: Int
    ) -> Cause {
        var cause: Cause
        if let entry {
            let isUnlisted = unlisted.hasPrefix("AAD") && unlisted != entry.code
            cause = Cause(
                entry.kind == .phrase ? entry.name ?? entry.source : entry.code,
                entry.meaning + (isUnlisted ? " Keyturn doesn't know \(unlisted)." : ""),
                fix: entry.advice.text(in: evidence), at: position)
        } else {
            cause = Cause(
                unlisted, "The authority returned an error that Keyturn doesn't know.", facts: facts,
                fix: "Read the description beside the error, or look it up in the provider's documentation.",
                at: position)
        }
        cause.id = entry?.cause ?? entry?.code ?? unlisted
        cause.strength = entry?.kind.strength ?? .named
        cause.who = entry?.who
        return cause
    }
}

extension ErrorDictionary.Kind {
    /// How much an error of this kind says about the cause.
    fileprivate var strength: CauseStrength {
        switch self {
        case .sts, .b2c: .coded
        case .phrase: .worded
        case .oauth, .suberror, .msal, .broker: .named
        }
    }
}
