import MSAL

/// The errors of a failure in the dictionary. `explain` uses the same rule, so that both give one advice.
extension Failure {
    /// The most specific first.
    package var explanations: [ErrorDictionary.Entry] {
        let dictionary = ErrorDictionary.bundled
        let named =
            [oauthSubError.flatMap { dictionary.entry(.suberror, $0) }]
            + [oauthError.flatMap { dictionary.entry(.oauth, $0) }]
            + [internalCode.flatMap { dictionary.entry(msal: $0) }, dictionary.entry(msal: code)]
        // An authorization response has AADSTS codes in its text only.
        let told = ErrorDictionary.codes(in: reason).compactMap(\.entry)
        let listed = serviceCodes.compactMap { dictionary.entry(sts: $0) }
        return listed + told.filter { !listed.contains($0) } + named.compactMap { $0 }
    }

    /// The failure with the dictionary's advice, if that knows more about the authority's error than the kind of error says.
    package var withDictionaryAdvice: Failure {
        guard oauthError != nil, !hasOwnAdvice else { return self }
        // Whether a client secret was sent is known to the failure, and not to a text.
        let phrases = ErrorText(response: reason).mentions.map(\.entry)
            .filter { $0.kind == .phrase && $0.name != "Client secret" }
        guard let adviser = (explanations + phrases).adviser else { return self }
        var advised = self
        advised.advice = adviser.nextStep
        return advised
    }
}

extension [ErrorDictionary.Entry] {
    /// The entry whose next step is the advice. Not if it's only to sign in, or the scope is unknown: the failure says more.
    var adviser: ErrorDictionary.Entry? {
        if contains(where: { $0.kind == .oauth && $0.code == "invalid_scope" }) { return nil }
        let kinds: [ErrorDictionary.Kind] = [.sts, .b2c, .phrase, .suberror]
        let entry = kinds.lazy.compactMap { kind in first { $0.kind == kind } }.first
        return entry.flatMap { entry in
            ["Sign in interactively", "Sign in again"].contains(where: entry.nextStep.hasPrefix) ? nil : entry
        }
    }
}
