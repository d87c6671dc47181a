import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The records that one token response writes (docs/upstream-behaviour.md §4.4) and a removal leaves (§4.9).
@Suite struct TokenGrantTests {
    static func grant(
        home: String = "uid.utid", client: String = "Client-1", realm: String = "utid", scopes: Scopes = ["User.Read"],
        family: String? = nil
    ) -> TokenGrant {
        TokenGrant(
            homeAccountID: home, environment: "login.windows.net", clientID: client,
            accessToken: .init(
                secret: Secret("at"), tokenType: "Bearer", scopes: scopes,
                expiresOn: ManualTime.start.addingTimeInterval(3600)),
            refreshToken: Secret("rt"), familyID: family, idToken: Secret("header.e30.signature"),
            profile: .init(
                localAccountID: "oid", realm: realm, username: "ana@contoso.example", isHome: true,
                authorityType: CachedAccount.Profile.entraType, claims: .read(["name": "Ana"])),
            requestedAuthority: "https://login.microsoftonline.com/common", receivedAt: ManualTime.start)
    }

    private func cache(_ store: MemoryCredentialStore, client: String = "Client-1") -> TokenCache {
        TokenCache(store: store, clientID: client)
    }

    @Test func oneResponseIsOneTransactionOfSixRecords() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant())
        #expect(store.updates == 1)
        #expect(
            Set(store.all.map(\.key.kind))
                == [.accessToken, .refreshToken, .idToken, .account, .appMetadata, .accountMetadata])
    }

    @Test func anAccountHasTheNamesInItsClaims() throws {
        let store = MemoryCredentialStore()
        var grant = Self.grant()
        grant.profile.claims = .read(["name": "Ana Lee", "given_name": "Ana", "family_name": " "])
        try cache(store).save(grant)
        let account = try #require(store.all.first { $0.key.kind == .account })
        #expect(["name", "given_name", "family_name"].map { account.members[$0] } == ["Ana Lee", "Ana", nil])
    }

    @Test func numbersAreDecimalStringsAndTheClientIDKeepsItsCaseInTheEntry() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant())
        let token = try #require(store.all.first { $0.key.kind == .accessToken })
        #expect(token.key.client == "client-1")
        #expect(token.members["client_id"] == "Client-1")
        #expect(token.members["cached_at"] == "1767225600")
        #expect(token.members["expires_on"] == "1767229200")
        #expect(token.members["extended_expires_on"] == "1767229200")
        #expect(token.members["target"] == "User.Read")
    }

    @Test(arguments: [
        (["User.Read"], ["user.read", "Mail.Read"], 1),
        (["User.Read"], ["Mail.Read"], 2),
        (["User.Read", "Mail.Read"], ["Mail.Send", "mail.read"], 1),
    ])
    func accessTokensWithCommonScopesAreReplaced(old: [String], new: [String], left: Int) throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant(scopes: Scopes(old)))
        try cache(store).save(Self.grant(scopes: Scopes(new)))
        #expect(store.all.count { $0.key.kind == .accessToken } == left)
    }

    @Test func aFamilyTokenIsCachedForTheClientAndTheFamily() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant(family: "1"))
        let clients = store.all.filter { $0.key.kind == .refreshToken }.map(\.key.client)
        #expect(Set(clients) == ["client-1", "1"])
    }

    @Test func unknownMembersSurvive() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant())
        var account = try #require(store.all.first { $0.key.kind == .account })
        account.members["wam_account_ids"] = "kept"
        try store.update(matching: CredentialQuery()) { _ in [.save(account)] }
        try cache(store).save(Self.grant())
        #expect(store.all.first { $0.key.kind == .account }?.members["wam_account_ids"] == "kept")
    }

    @Test func removalDeletesOnlyThisClientsTokens() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant())
        try cache(store, client: "other").save(Self.grant(client: "other"))
        try cache(store).save(Self.grant(home: "uid2.utid"))
        try cache(store).remove(homeAccountID: "uid.utid")

        #expect(try cache(store).listing().accounts.signedIn.map(\.identifier) == ["uid2.utid"])
        #expect(try cache(store, client: "other").listing().accounts.signedIn.map(\.identifier) == ["uid.utid"])
        let left = store.all.filter { $0.key.homeAccountID == "uid.utid" && $0.members["client_id"] == "Client-1" }
        #expect(left.map(\.key.kind) == [.accountMetadata])
        #expect(store.all.contains { $0.key.kind == .account && $0.key.homeAccountID == "uid.utid" })
    }

    @Test func signingInAgainUndoesARemoval() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant())
        try cache(store).remove(homeAccountID: "uid.utid")
        #expect(try cache(store).listing().accounts.signedIn.isEmpty)
        #expect(try cache(store).listing().accounts.all.count == 1)
        try cache(store).save(Self.grant())
        #expect(try cache(store).listing().accounts.signedIn.count == 1)
    }

    @Test func realmsOfOneAccountAreItsTenantProfilesHomeFirst() throws {
        let store = MemoryCredentialStore()
        try cache(store).save(Self.grant(realm: "a-guest-tenant"))
        try cache(store).save(Self.grant(realm: "utid"))
        let account = try #require(try cache(store).accounts(["uid.utid"], onlySignedIn: true).first)
        #expect(account.profiles.map(\.realm) == ["utid", "a-guest-tenant"])
        #expect(account.profiles.map(\.isHome) == [true, false])
    }

    @Test(
        "A sign-in replaces a refresh token of no more scopes, a refresh replaces the one that it redeemed",
        arguments: [
            (["a", "b"], ["a"], nil, "old"), (["a", "b"], ["c"], nil, "old"), (["a"], ["a", "b"], nil, "new"),
            (["a"], ["A"], nil, "new"), (["a", "b"], ["a"], "old", "new"), (["a", "b"], ["a"], "another", "old"),
            (nil, ["a"], nil, "new"), (["a"], nil, nil, "new"),
        ] as [([String]?, [String]?, String?, String)])
    func narrowerRefreshTokens(known: [String]?, granted: [String]?, spent: String?, left: String) throws {
        let store = MemoryCredentialStore()
        func save(_ secret: String, _ scopes: [String]?, spending spent: String?) throws {
            var grant = Self.grant()
            (grant.refreshToken, grant.refreshScopes) = (Secret(secret), scopes.map { Scopes($0) })
            grant.spentRefreshToken = spent.map { Secret($0) }
            try cache(store).save(grant)
        }
        try save("old", known, spending: nil)
        try save("new", granted, spending: spent)
        let secrets = store.all.filter { $0.key.kind == .refreshToken }.map { $0.members["secret"]?.string }
        #expect(secrets == [left])
    }
}
