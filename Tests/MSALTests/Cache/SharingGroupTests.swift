import Foundation
import TestSupport
import Testing

@testable import MSAL

/// Applications that share a cache, and some that do not (docs/configuration.md, keychainSharingGroup).
@Suite(.oneSessionAtATime) struct SharingGroupTests {
    @Test(
        "Rejects a group name that leads out of the cache folder",
        arguments: ["../x", "/tmp/x", "a/b", ".x", "", "a\n"])
    func outsideTheFolder(group: String) {
        #expect(!MSALCacheConfig.isSharingGroup(group))
    }

    @Test("App1 signs in; App2, with the same client ID and its own redirect URI, gets a token silently")
    func sameGroup() async throws {
        var world = try World()
        world.seat(.ann)
        _ = try await world.application(redirectURI: "http://localhost").acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
        world.browser = ForbiddenBrowser()
        world.transport.forget()

        let second = try world.application(redirectURI: "msauth.org.keyturn.app://auth")
        let account = try #require(try second.allAccounts().first)
        let cached = try await second.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
        #expect(cached.isFromCache)
        #expect(world.transport.requests.isEmpty)

        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.forceRefresh = true
        let refreshed = try await second.acquireTokenSilent(with: parameters)
        #expect(!refreshed.isFromCache)
        #expect(refreshed.account == account)
    }

    @Test("An application of another group lists no accounts")
    func otherGroup() async throws {
        var world = try World()
        world.seat(.ann)
        let account = try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
        var elsewhere = world.dependencies
        elsewhere.credentials = MemoryCredentialStore()
        elsewhere.browser = ForbiddenBrowser()
        let application = try MSALPublicClientApplication(
            configuration: world.application().configuration, registration: World.registration, dependencies: elsewhere)
        #expect(try application.allAccounts().isEmpty)
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
        }
        #expect(error?.code == MSALError.interactionRequired.rawValue)
    }
}
