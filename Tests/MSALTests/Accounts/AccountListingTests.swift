import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The members of listed accounts, and what each reads from the store.
@Suite("Listed accounts", .oneSessionAtATime)
struct AccountListingTests {
    private let world: World
    private let application: MSALPublicClientApplication

    init() async throws {
        var world = try World()
        world.seat(.ann)
        self.world = world
        application = try world.application()
        _ = try await application.acquireToken(
            with: MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters()))
    }

    private var queries: Int { world.store.queries.count }

    @Test("One transaction reads accounts, tokens and sign-outs")
    func onePass() async throws {
        let before = queries
        let accounts = try application.allAccounts()
        let tokens = try application.cachedTokens()
        let listed = try await application.accountsFromDevice(for: MSALAccountEnumerationParameters())
        #expect(accounts == listed)
        #expect(tokens[accounts[0].identifier ?? ""]?.canRefresh == true)
        #expect(accounts[0].name == "Ann Archer")
        #expect(queries == before + 1)
    }

    @Test("Claims are read on first use, once, and are the same for the account and its home tenant")
    func claims() throws {
        let account = try #require(try application.allAccounts().first)
        let before = queries
        let claims = try #require(account.accountClaims)
        #expect(claims["name"] as? String == account.name)
        #expect(account.tenantProfiles?.first?.claims?["sub"] as? String == claims["sub"] as? String)
        #expect(queries == before + 1)
        // An account keeps the claims that it has read.
        try application.remove(account)
        #expect(account.accountClaims?["sub"] as? String == claims["sub"] as? String)
    }

    @Test("Claims are nil while the store fails, and are read once it works")
    func failing() throws {
        let account = try #require(try application.allAccounts().first)
        world.store.fail(with: CredentialStoreFailure(.io, reason: "It failed."))
        #expect(account.accountClaims == nil)
        world.store.fail(with: nil)
        #expect(account.accountClaims != nil)
    }

    @Test("Claims are nil after removal, unless they were read before")
    func removed() throws {
        let account = try #require(try application.allAccounts().first)
        try application.remove(account)
        #expect(account.accountClaims == nil)
        #expect(account.name != nil)
    }

    @Test("Cached tokens with the same cache key are equal")
    func equality() {
        let tokens = StoredIDTokens(store: world.store, client: "a")
        func token(_ tokens: StoredIDTokens, realm: String = "r") -> ProfileClaims {
            .stored(StoredIDToken(tokens, homeAccountID: "h", environment: "e", realm: realm))
        }
        #expect(token(tokens) == token(StoredIDTokens(store: world.store, client: "a")))
        #expect(token(tokens) != token(tokens, realm: "other"))
        #expect(token(tokens) != token(StoredIDTokens(store: world.store, client: "b")))
        #expect(token(tokens) != .read([:]))
    }

    @Test("An account found by tenant profile only is in the list")
    func tenantProfile() throws {
        let account = try #require(try application.allAccounts().first)
        let identifier = try #require(account.tenantProfiles?.first?.identifier)
        let before = queries
        let found = try application.accounts(
            for: MSALAccountEnumerationParameters(tenantProfileIdentifier: identifier.uppercased()))
        #expect(found == [account])
        #expect(queries == before)
    }
}
