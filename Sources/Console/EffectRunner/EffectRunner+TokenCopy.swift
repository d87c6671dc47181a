import Foundation
import MSAL

extension EffectRunner {
    func copyToken(of shown: Acquisition, saves: Bool) async -> WorkResult {
        let named = CopiedText("the access token", fileName: "token.txt", "")
        switch await outcome({ try await accessToken(of: shown) }) {
        case .success(let token) where saves:
            return .saved(named, await outcome { try services.save(token, named.fileName) })
        case .success(let token): return .copied(.token(shown), services.copy(token))
        case .failure(let report): return .saved(named, .failure(report))
        }
    }

    /// The shown token from the cache, because the model doesn't contain it.
    private func accessToken(of shown: Acquisition) async throws -> String {
        let application = try ready()
        let account = try await account(shown.account.identifier, application)
        let parameters = MSALSilentTokenParameters(scopes: shown.scopes.withoutAlwaysRequested, account: account)
        let token = try await application.acquireTokenSilent(with: parameters).accessToken
        guard ClaimsContent(token) == shown.accessToken else {
            throw Failure(
                headline: "The cached token changed.",
                reason: "Press \(Verb.refresh.label) to get a new one, then copy it.")
        }
        return token
    }
}
