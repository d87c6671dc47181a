import DemoAuthority
import Foundation
import TestSupport
import Testing

@testable import MSAL

/// Tests that removal works on the records in the store, not on the list of accounts.
@Suite("Remains of accounts", .oneSessionAtATime)
struct AccountRemainsTests {
    private static let otherClient = "the-other-client"

    private func signedIn() async throws -> (World, MSALPublicClientApplication, MSALAccount) {
        let signedIn = try await SignedInWorld()
        return (signedIn.world, signedIn.application, signedIn.account)
    }

    private func delete(_ world: World, _ isMeant: (CredentialKey) -> Bool) throws {
        try world.store.update(matching: CredentialQuery()) { records in
            records.map(\.key).filter(isMeant).map { .delete($0) }
        }
    }

    private func tokens(_ world: World, of client: String = DemoAuthorityServer.clientID) -> [CredentialKey] {
        world.store.all.map(\.key).filter { $0.kind.isToken && $0.client == client.lowercased() }
    }

    @Test("An account with tokens and without an account record is listed and found, and its sign-out removes them")
    func withoutRecord() async throws {
        let (world, application, account) = try await signedIn()
        try delete(world) { $0.kind == .account }
        let listed = try #require(try application.allAccounts().first)
        #expect(listed.identifier == account.identifier && listed.environment == account.environment)
        #expect(listed.username == "ann@contoso.example")
        #expect(try application.account(forUsername: "ANN@contoso.example").identifier == account.identifier)
        #expect(try application.account(forIdentifier: try #require(account.identifier)) == listed)
        #expect(throws: MSALAuthenticationError.self) { try application.account(forUsername: "bo@contoso.example") }
        _ = try await application.signout(with: listed, signoutParameters: MSALSignoutParameters())
        #expect(tokens(world).isEmpty)
        #expect(try application.allAccounts().isEmpty)
    }

    @Test("Without an ID token it has no username, and can be removed")
    func withoutIDToken() async throws {
        let (world, application, account) = try await signedIn()
        try delete(world) { [.account, .idToken].contains($0.kind) }
        let listed = try #require(try application.allAccounts().first)
        #expect(listed.identifier == account.identifier && listed.username == nil)
        try application.remove(listed)
        #expect(tokens(world).isEmpty)
    }

    @Test("A refresh writes the account record again")
    func refresh() async throws {
        let (world, application, account) = try await signedIn()
        try delete(world) { $0.kind == .account }
        let parameters = MSALSilentTokenParameters(
            scopes: ["User.Read"], account: try #require(try application.allAccounts().first))
        parameters.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: parameters)
        #expect(world.store.all.contains { $0.key.kind == .account && $0.key.homeAccountID == account.identifier })
    }

    @Test("Tokens of another client don't make an account")
    func otherClientsTokens() throws {
        let world = try World()
        try TokenCache(store: world.store, clientID: Self.otherClient)
            .save(TokenGrantTests.grant(client: Self.otherClient))
        try delete(world) { $0.kind == .account }
        let parameters = MSALAccountEnumerationParameters()
        parameters.returnOnlySignedInAccounts = false
        #expect(try world.application().accounts(for: parameters).isEmpty)
    }

    @Test("Removes a token without a client_id member by its key")
    func withoutClientMember() async throws {
        let (world, application, account) = try await signedIn()
        try world.store.update(matching: CredentialQuery()) { records in
            records.filter { $0.key.kind.isToken }.map { record in
                .save(CredentialRecord(record.key, record.members.filter { $0.key != "client_id" }))
            }
        }
        try application.remove(account)
        #expect(tokens(world).isEmpty)
    }

    @Test("Removes all records that name signed-out accounts")
    func removal() async throws {
        let (world, application, account) = try await signedIn()
        _ = try await application.currentAccount(with: nil)
        try application.remove(account)
        #expect(world.store.all.contains { $0.key.homeAccountID == account.identifier })
        #expect(try application.removeRemains().accounts == 0)
        #expect(Set(world.store.all.map(\.key.kind)) == [.appMetadata])
    }

    @Test("Lists an account of which only an access token is left, and keeps the token until it is removed")
    func onlyAnAccessToken() async throws {
        let (world, application, _) = try await signedIn()
        try delete(world) { ![.accessToken, .appMetadata].contains($0.kind) }
        let account = try #require(try application.allAccounts().first)
        #expect(try application.removeRemains().accounts == 0)
        #expect(!tokens(world).isEmpty)
        try application.remove(account)
        #expect(tokens(world).isEmpty)
        #expect(try application.removeRemains().accounts == 0)
        let updates = world.store.updates
        #expect(try application.removeRemains().accounts == 0)
        #expect(world.store.updates == updates, "there is nothing to write")
    }

    @Test("Keeps accounts that are signed in, and the current account")
    func signedInAccounts() async throws {
        let (world, application, account) = try await signedIn()
        _ = try await application.currentAccount(with: nil)
        let records = world.store.all
        #expect(try application.removeRemains().accounts == 0)
        #expect(world.store.all == records)
        #expect(try application.allAccounts() == [account])
    }

    @Test("Counts the accounts of other clients that can get tokens")
    func otherClients() async throws {
        let (world, application, account) = try await signedIn()
        #expect(try application.accountsOfOtherClients().isEmpty)
        let other = TokenCache(store: world.store, clientID: Self.otherClient)
        for home in ["bo.t", "cy.t"] { try other.save(TokenGrantTests.grant(home: home, client: Self.otherClient)) }
        #expect(try application.accountsOfOtherClients() == [Self.otherClient: 2])
        try application.remove(account)
        #expect(try application.accountsOfOtherClients() == [Self.otherClient: 2])
    }

    @Test("Keeps another client's records, and the sign-out of this one")
    func sharedAccount() async throws {
        let (world, application, account) = try await signedIn()
        let home = try #require(account.identifier)
        let other = TokenCache(store: world.store, clientID: Self.otherClient)
        try other.save(TokenGrantTests.grant(home: home, client: Self.otherClient, family: "1"))
        try other.save(TokenGrantTests.grant(home: "bo.t", client: Self.otherClient))
        let theirs = world.store.all.filter { $0.members["client_id"]?.string == Self.otherClient }
        try application.remove(account)
        #expect(try application.removeRemains().accounts == 0)
        #expect(theirs.allSatisfy(world.store.all.contains))
        #expect(try application.allAccounts().isEmpty, "the family's token does not bring it back")
        #expect(try other.accounts([home, "bo.t"], onlySignedIn: true).count == 2)
        // After the other client's removal, no record of the account remains.
        try other.remove(homeAccountID: home)
        try other.remove(homeAccountID: "bo.t")
        _ = try other.removeRemains()
        #expect(Set(world.store.all.map(\.key.kind)) == [.appMetadata])
    }
}
