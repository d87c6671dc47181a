import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A user of ADAL's cache gets tokens silently (docs/migrating-from-adal.md).
@Suite(.oneSessionAtATime) struct ADALMigrationTests {
    static let resource = "https://graph.keyturn.example"

    /// A world in which only an ADAL list knows Ann, with a refresh token that the authority still accepts.
    private func migrating(
        environment: String = "http://127.0.0.1:8400", resource: String = ADALMigrationTests.resource
    ) async throws -> (world: World, cache: [UInt8]) {
        var world = try World()
        world.seat(.ann)
        _ = try await world.application().acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
        world.browser = ForbiddenBrowser()
        let secret = try #require(
            world.store.all.first { $0.key.kind == .refreshToken }?.members["secret"]?.string)
        try world.store.update(matching: CredentialQuery()) { records in records.map { .delete($0.key) } }
        let row: JSONValue = [
            "_authority": .string("\(environment)/common"), "_clientId": .string(DemoAuthorityServer.clientID),
            "resource": .string(resource), "userId": "Ann@contoso.example", "refreshToken": .string(secret),
            "accessToken": "old",
        ]
        let cache = Array(JSONValue.array([row]).serialized.utf8)
        world.transport.forget()
        return (world, cache)
    }

    @Test("Found by username, and saved with a full identifier by the first silent call")
    func firstSilentCall() async throws {
        let (world, cache) = try await migrating()
        world.adalFiles.place(cache)
        let application = try world.application()
        #expect(try application.allAccounts().isEmpty)
        let found = try application.account(forUsername: "ann@contoso.example")
        #expect(found.identifier == nil)
        #expect(world.transport.requests.isEmpty)

        let result = try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["\(Self.resource)/.default"], account: found))
        #expect(!result.isFromCache)
        let identifier = try #require(result.account.identifier)
        #expect(identifier.contains("."))
        #expect(try application.account(forIdentifier: identifier).username == "ann@contoso.example")
        #expect(world.adalFiles.contents() == [cache])

        // The same object and a lookup by name: the cache serves now, and ADAL's token is not sent twice.
        world.transport.forget()
        for account in [found, try application.account(forUsername: "ann@contoso.example")] {
            let again = try await application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account))
            #expect(again.isFromCache)
        }
        #expect(world.transport.requests.isEmpty)
    }

    @Test("A removed account does not return by its old token")
    func removed() async throws {
        let (world, cache) = try await migrating()
        world.adalFiles.place(cache)
        let application = try world.application()
        let found = try application.account(forUsername: "ann@contoso.example")
        let account = try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: found)
        ).account
        try application.remove(account)
        #expect(throws: MSALAuthenticationError.self) { try application.account(forUsername: "ann@contoso.example") }
        world.transport.forget()
        for gone in [found, account] {
            let error = await #expect(throws: MSALAuthenticationError.self) {
                _ = try await application.acquireTokenSilent(
                    with: MSALSilentTokenParameters(scopes: ["User.Read"], account: gone))
            }
            #expect(error?.code == MSALError.interactionRequired.rawValue)
        }
        #expect(world.transport.requests.isEmpty)
    }

    @Test("Caches of another cloud or client, and unreadable ones, list no accounts")
    func strangers() async throws {
        let (world, cache) = try await migrating(environment: "https://login.elsewhere.example")
        world.adalFiles.place(Array("garbage".utf8))
        world.adalFiles.place(cache)
        let other = try world.application(clientID: "another-client")
        #expect(throws: MSALAuthenticationError.self) { try other.account(forUsername: "ann@contoso.example") }
        let application = try world.application()
        let found = try application.account(forUsername: "ann@contoso.example")
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(
                with: MSALSilentTokenParameters(scopes: ["User.Read"], account: found))
        }
        #expect(error?.code == MSALError.interactionRequired.rawValue)
        #expect(!world.transport.requests.contains { $0.url.path().hasSuffix("/token") })
    }

    @Test("The program's cache is read between the delegate's two calls")
    func serialized() async throws {
        let (world, cache) = try await migrating()
        let delegate = Delegate(content: Data(cache))
        let application = try world.application { configuration in
            configuration.cacheConfig.serializedADALCache = try MSALSerializedADALCacheProvider(delegate: delegate)
        }
        let found = try application.account(forUsername: "ann@contoso.example")
        #expect(delegate.calls == ["will", "did"])
        let result = try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: found))
        #expect(result.account.identifier != nil)
        #expect(delegate.calls == ["will", "did", "will", "did"])
    }

    @Test("All users at once, with a report")
    func importAll() async throws {
        let (world, cache) = try await migrating(resource: Self.resource)
        var rows = try #require(try JSONValue(parsing: cache).array)
        rows.append([
            "_authority": "http://127.0.0.1:8400/common", "_clientId": .string(DemoAuthorityServer.clientID),
            "resource": .string(Self.resource), "userId": "wang@contoso.example", "refreshToken": "forged",
        ])
        rows.append(["_clientId": "another", "refreshToken": "RT", "userId": "x", "_authority": "https://x/y"])
        rows.append(["servicePrincipalId": "sp"])
        let data = Data(JSONValue.array(rows).serialized.utf8)
        let application = try world.application()
        let report = try await application.importADALCache(data)
        #expect(report.accounts.map(\.outcome) == [.imported, .interactionRequired])
        #expect(report.accounts.map(\.username) == ["ann@contoso.example", "wang@contoso.example"])
        #expect(report.unusedEntries == 2)
        #expect(try application.allAccounts().map(\.username) == ["ann@contoso.example"])
        #expect(world.transport.tokenScopes.first?.contains("\(Self.resource)/.default") == true)

        let again = try await application.importADALCache(data)
        #expect(again.accounts.map(\.outcome) == [.alreadyCached, .interactionRequired])
        await #expect(throws: MSALAuthenticationError.self) { try await application.importADALCache(Data("x".utf8)) }
    }

    private final class Delegate: MSALSerializedADALCacheProviderDelegate {
        let content: Data
        private(set) var calls: [String] = []

        init(content: Data) {
            self.content = content
        }

        func willAccessCache(_ cache: MSALSerializedADALCacheProvider) {
            calls.append("will")
            #expect(throws: Never.self) { try cache.deserialize(content) }
        }

        func didAccessCache(_ cache: MSALSerializedADALCacheProvider) { calls.append("did") }

        func willWriteCache(_ cache: MSALSerializedADALCacheProvider) { Issue.record("ADAL's cache is not written") }

        func didWriteCache(_ cache: MSALSerializedADALCacheProvider) { Issue.record("ADAL's cache is not written") }
    }
}

extension AuthorityTransport {
    /// The `scope` parameter of each token request.
    fileprivate var tokenScopes: [String] {
        requests.filter { $0.url.path().hasSuffix("/token") }.compactMap { request in
            Parameters(formEncoded: String(decoding: request.body, as: UTF8.self))["scope"]
        }
    }
}
