/// The error that ended the sign-in, explained by the dictionary of errors.
enum CodedCauses {
    /// Errors of a normal sign-in, for example while the user hasn't entered the device code.
    private static let harmless: Set<Int> = [50_058, 50_140, 50_199, 50_168, 51_005, 70_016, 81_010, 81_012]
    private static let harmlessErrors: Set<String> = ["authorization_pending", "slow_down"]

    @Sendable static func refusal(_ evidence: Evidence) -> Cause? {
        fromSteps(evidence) ?? fromLog(evidence)
    }

    private static func fromSteps(_ evidence: Evidence) -> Cause? {
        for step in evidence.steps.reversed() {
            guard let refusal = step.refusal, !harmlessErrors.contains(refusal.error) else { continue }
            let codes = refusal.codes.filter { !harmless.contains($0) }
            guard codes.isEmpty == refusal.codes.isEmpty else { continue }
            let dictionary = ErrorDictionary.bundled
            let entry =
                codes.lazy.compactMap { dictionary.entry(sts: $0) }.first ?? dictionary.entry(.oauth, refusal.error)
            if let entry { return cause(entry, at: step.exchange.number) }
            let code = codes.first.map { "AADSTS\($0)" } ?? refusal.error
            return unknown(code, at: step.exchange.number)
        }
        return nil
    }

    /// The last line with an error code, because the program may have retried after earlier ones.
    private static func fromLog(_ evidence: Evidence) -> Cause? {
        guard let log = evidence.log else { return nil }
        for line in log.lines.reversed() where line.text.contains("AAD") {
            for code in ErrorDictionary.codes(in: line.text) {
                guard let number = Int(code.number), !harmless.contains(number) else { continue }
                if let entry = ErrorDictionary.bundled.entry(code.kind, code.number) {
                    return cause(entry, at: line.number)
                }
                return unknown("AADSTS\(number)", at: line.number)
            }
        }
        let oauth = log.lines.last { line in
            ["invalid_grant", "invalid_client", "interaction_required"].contains { line.text.contains($0) }
        }
        guard let oauth,
            let name = ["invalid_client", "interaction_required", "invalid_grant"].first(where: oauth.text.contains),
            let entry = ErrorDictionary.bundled.entry(.oauth, name)
        else { return nil }
        return cause(entry, at: oauth.number)
    }

    private static func cause(_ entry: ErrorDictionary.Entry, at position: Int) -> Cause {
        Cause(entry.code, entry.meaning, fix: entry.nextStep, at: position)
    }

    private static func unknown(_ code: String, at position: Int) -> Cause {
        Cause(
            code, "The authority returned an error that isn't in the dictionary.",
            fix: "Read the description beside the error, or look it up in the provider's documentation.", at: position)
    }
}
