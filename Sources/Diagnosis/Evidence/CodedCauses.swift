/// The error that ended the sign-in, explained by the dictionary of errors.
enum CodedCauses {
    /// Errors while the user hasn't entered the device code.
    private static let polling: Set<Int> = [70_016]
    /// Errors of a normal sign-in, unless it ends with one of them.
    private static let harmless: Set<Int> = polling.union([50_058, 50_140, 50_199, 50_168, 51_005, 81_010, 81_012])
    private static let harmlessErrors: Set<String> = ["authorization_pending", "slow_down"]

    @Sendable static func refusal(_ evidence: Evidence) -> Cause? {
        let cause = fromSteps(evidence, ignoring: harmless) ?? fromLog(evidence)
        return cause ?? (evidence.success == nil ? fromSteps(evidence, ignoring: polling) : nil)
    }

    private static func fromSteps(_ evidence: Evidence, ignoring ignored: Set<Int>) -> Cause? {
        for step in evidence.steps.reversed() {
            guard let refusal = step.refusal, !harmlessErrors.contains(refusal.error) else { continue }
            let codes = refusal.codes.filter { !ignored.contains($0) }
            guard codes.isEmpty == refusal.codes.isEmpty else { continue }
            let dictionary = ErrorDictionary.bundled
            let named = dictionary.entry(.oauth, refusal.error)
            let name = Disclosure.value(refusal.error, of: "error")
            let entry = codes.lazy.compactMap { dictionary.entry(sts: $0) }.first
            let unlisted = entry == nil ? codes.first.map { "AADSTS\($0)" } : nil
            return cause(entry ?? named, unlisted: unlisted ?? name, at: step.exchange.number)
        }
        return nil
    }

    /// The last code of a log, because the program may have retried after earlier ones; otherwise the last OAuth error, or
    /// the last number of MSAL.
    private static func fromLog(_ evidence: Evidence) -> Cause? {
        guard let log = evidence.log else { return nil }
        let codes = log.codes.filter { !harmless.contains($0.code.number) }
        if let (code, line) = codes.first(where: { $0.code.entry != nil }) {
            return cause(code.entry, unlisted: code.text, at: line)
        }
        let dictionary = ErrorDictionary.bundled
        let named = last(dictionary.entries(of: .oauth).filter { !harmlessErrors.contains($0.code) }, in: log)
        if let (code, line) = codes.first { return cause(named?.entry, unlisted: code.text, at: line) }
        return (named ?? last(dictionary.entries(of: .msal), in: log)).map { cause($0.entry, at: $0.line) }
    }

    /// The entry of the last line. An internal number is more specific than that of `MSALError`, which is lower.
    private static func last(
        _ entries: [ErrorDictionary.Entry], in log: LogFile
    ) -> (entry: ErrorDictionary.Entry, line: Int)? {
        entries.compactMap { entry in log.last(ErrorText.mark(entry)).map { (entry: entry, line: $0) } }
            .max { ($0.line, Int($0.entry.code) ?? 0) < ($1.line, Int($1.entry.code) ?? 0) }
    }

    /// - Parameter unlisted: the code that the dictionary lacks, or that `entry` explains.
    private static func cause(
        _ entry: ErrorDictionary.Entry?, unlisted: String = "", at position: Int
    ) -> Cause {
        guard let entry else {
            return Cause(
                unlisted, "The authority returned an error that isn't in the dictionary.",
                fix: "Read the description beside the error, or look it up in the provider's documentation.",
                at: position)
        }
        let isUnlisted = unlisted.hasPrefix("AAD") && unlisted != entry.code
        return Cause(
            entry.code, entry.meaning + (isUnlisted ? " \(unlisted) isn't in the dictionary." : ""),
            fix: entry.nextStep, at: position)
    }
}
