import Foundation
import OAuthCore

/// Silent requests that the last response of the cache still satisfies.
extension MSALPublicClientApplication {
    /// The cached token without opening the cache, on the caller's thread. `nil` when the cache has to be read.
    func rememberedToken(for parameters: MSALSilentTokenParameters) -> MSALResult? {
        guard let question = question(parameters), let stamp = dependencies.credentials.stamp(),
            let contents = silentRequests.remembered.contents(for: question, stamp: stamp, now: dependencies.time.now())
        else { return nil }
        let correlationID = parameters.correlationId ?? dependencies.random.uuid()
        let result = MSALResult(contents, correlationID: correlationID)
        note(.silent, correlationID, .success(result))
        return result
    }

    /// `nil` when external account providers need to see each response, or the user decides who gets the token.
    func question(_ parameters: MSALSilentTokenParameters) -> RememberedTokens.Question? {
        guard externalAccounts.isEmpty, parameters.destination == nil, settings.destination == nil else { return nil }
        return RememberedTokens.Question(parameters, authority: settings.authority)
    }

    /// - Parameter stamp: the stamp of the store before the outcome was read.
    func remember(
        _ outcome: TokenOutcome, to question: RememberedTokens.Question, _ stamp: CredentialStamp, _ correlationID: UUID
    ) {
        let now = dependencies.time.now()
        guard let expiry = outcome.isGoodUntil, now < expiry else { return }
        silentRequests.remembered.remember(
            RememberedTokens.Entry(
                contents: MSALResult(outcome, correlationID: correlationID).contents, stamp: stamp, good: now..<expiry),
            for: question)
    }
}

extension MSALPublicClientApplication {
    /// Returns the scopes for an ADAL resource: all that the user consented to for it. Not in MSAL for iOS and macOS.
    ///
    /// A trailing `/` is significant, because the token's audience repeats the resource exactly. The scope of
    /// `https://graph.windows.net/` is `https://graph.windows.net//.default`.
    public static func scopes(forADALResource resource: String) -> [String] { Scopes.forResource(resource).names }

    /// Creates an application with other dependencies. The configuration keeps them.
    package convenience init(
        configuration: MSALPublicClientApplicationConfig, registration: AppRegistration?, dependencies: Dependencies
    ) throws {
        configuration.use(ApplicationWorld(registration: registration, dependencies: dependencies))
        try self.init(configuration: configuration)
    }
}
