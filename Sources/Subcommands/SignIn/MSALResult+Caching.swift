import MSAL

extension MSALResult {
    /// The result, after a warning if its tokens could not be cached. Also printed with `--quiet`, because the user must
    /// act on it; `-o json` has it in the output.
    func warned(in surroundings: Surroundings) -> MSALResult {
        guard let error = cachingError else { return self }
        let report = Failure(reporting: error)
        surroundings.tell("keyturn: \(report.reason)\n         \(report.advice)\n")
        return self
    }

    /// The result. Throws if its tokens could not be cached, for callers that need the account in the cache.
    func cached() throws -> MSALResult {
        if let cachingError { throw cachingError }
        return self
    }
}
