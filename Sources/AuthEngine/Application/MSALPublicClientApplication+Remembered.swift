import Foundation

/// Silent calls whose answer is known to be the cache's still.
extension MSALPublicClientApplication {
    /// What ``acquireTokenSilent(with:)`` would find in the cache, without opening it and on the caller's own thread;
    /// `nil` when it has to look.
    func rememberedToken(for parameters: MSALSilentTokenParameters) -> MSALResult? {
        guard let question = question(parameters), let stamp = dependencies.credentials.stamp(),
            let contents = silentRequests.remembered.answer(to: question, stamp: stamp, now: dependencies.time.now())
        else { return nil }
        let correlationID = parameters.correlationId ?? dependencies.random.uuid()
        let result = MSALResult(contents, correlationID: correlationID)
        note(.silent, correlationID, .success(result))
        return result
    }

    /// `nil` as well when others are told of each answer.
    func question(_ parameters: MSALSilentTokenParameters) -> RememberedTokens.Question? {
        guard externalAccounts.isEmpty else { return nil }
        return RememberedTokens.Question(parameters, authority: settings.authority)
    }

    /// - Parameter stamp: of the store before the outcome was looked for.
    func remember(
        _ outcome: TokenOutcome, to question: RememberedTokens.Question, _ stamp: CredentialStamp, _ correlationID: UUID
    ) {
        let now = dependencies.time.now()
        guard let end = outcome.isAnswerUntil, now < end else { return }
        silentRequests.remembered.remember(
            RememberedTokens.Answer(
                contents: MSALResult(outcome, correlationID: correlationID).contents, stamp: stamp, good: now..<end),
            to: question)
    }
}
