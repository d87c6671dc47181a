import Foundation
import OAuthCore

extension MSALPublicClientApplication {
    /// Signs an account out (msal-behaviours §8): takes it away from this application, from every application
    /// (``MSALSignoutParameters/wipeAccount``) or empties the cache (``MSALSignoutParameters/wipeCacheForAllAccounts``), has
    /// the identity broker forget that this application uses it, where one may be asked, and then, if wanted, ends the
    /// browser's session at the authority.
    ///
    /// A failure of the broker's or the browser's part comes after the tokens are gone. `true`: everything was done.
    @discardableResult
    public nonisolated(nonsending) func signout(
        with account: MSALAccount, signoutParameters: MSALSignoutParameters
    ) async throws -> Bool {
        try await signoutCall(account, signoutParameters)()
    }

    /// As the `async` form. The block runs on the queue of the parameters, else on the main queue.
    public func signout(
        with account: MSALAccount, signoutParameters: MSALSignoutParameters,
        completionBlock: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        Completion<Bool>(queue: signoutParameters.completionBlockQueue ?? .main) { isDone, error in
            completionBlock(isDone ?? false, error)
        }.run(signoutCall(account, signoutParameters))
    }

    /// Takes the parameters as they are now; the caller may change them afterwards.
    private func signoutCall(
        _ account: MSALAccount, _ parameters: MSALSignoutParameters
    ) -> @Sendable () async throws -> Bool {
        let correlationID = dependencies.random.uuid()
        let context = context(parameters, correlationID)
        let (wipesAccount, wipesEverything) = (parameters.wipeAccount, parameters.wipeCacheForAllAccounts)
        let endsSession = parameters.signoutFromBrowser
        let webview = parameters.webviewParameters
        let webviewType = webview.webviewType
        let endSession = EndSessionParameters(
            correlationID: correlationID,
            extraQueryParameters: Parameters(parameters.extraQueryParameters ?? [:]), openURL: webview.openURLHandler,
            lendTerminal: webview.terminalLender)
        return { [self] in
            do {
                if endsSession { try webviewType.requireSystemBrowser() }
                try forget(account, wipesAccount: wipesAccount)
                if wipesEverything { try context.cache.wipe() }
                if let identifier = account.identifier {
                    try await BrokerFlow(context: context).remove(identifier, correlationID)
                }
                if endsSession { try await EndSessionFlow(context: context, request: endSession).run() }
                return true
            } catch {
                let error = MSALAuthenticationError(translating: error, correlationID: correlationID)
                log(correlationID).error("The sign-out failed: \(error: error)")
                throw error
            }
        }
    }
}
