import Foundation
import MSAL
import TestSupport

/// The whole engine with the built-in authority, a user and the store, all in memory.
final class EngineInMemory: Sendable {
    private let world: World
    private let application: MSALPublicClientApplication

    init() throws {
        var world = try World()
        world.seat(.ann)
        self.world = world
        application = try world.application()
    }

    /// A user signs in: every page, every request, every check, and the tokens are saved.
    nonisolated(nonsending) func signIn() async throws {
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        _ = try await application.acquireToken(with: parameters)
        world.transport.forget()
    }

    /// One request to the authority, and its response.
    nonisolated(nonsending) func refresh() async throws {
        let account = try application.allAccounts()[0]
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: parameters)
        world.transport.forget()
    }
}
