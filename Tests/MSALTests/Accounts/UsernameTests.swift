import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The usernames of an account, which change with the claims that the authority sends.
@Suite("Usernames", .oneSessionAtATime)
struct UsernameTests {
    private let store = MemoryCredentialStore()
    private var cache: TokenCache { TokenCache(store: store, clientID: "client-1") }

    private func save(_ username: String, home: String = "alice.issuer", realm: String = "") throws {
        var grant = TokenGrantTests.grant(home: home, realm: realm)
        grant.profile.username = username
        try cache.save(grant)
    }

    private func found(_ username: String, onlySignedIn: Bool = true) throws -> [String] {
        try cache.accounts(username: username, onlySignedIn: onlySignedIn).map(\.homeAccountID)
    }

    @Test("An account is found by every username it has had")
    func history() throws {
        for username in ["alice", "Alice@example.test", "alice", "alice.b@example.test"] { try save(username) }
        for username in ["ALICE", "alice@example.test", "alice.b@example.test"] {
            #expect(try found(username) == ["alice.issuer"])
        }
        #expect(try found("alice.c@example.test").isEmpty)
        let profile = try #require(try cache.accounts(["alice.issuer"], onlySignedIn: true).first?.profiles.first)
        #expect(profile.username == "alice.b@example.test")
        #expect(profile.formerUsernames == ["Alice@example.test", "alice"])
    }

    @Test("A username finds the account that has it now, even if that account has signed out")
    func successor() throws {
        try save("alice")
        try save("alice.b")
        #expect(try found("alice") == ["alice.issuer"])
        try save("alice", home: "other.issuer")
        #expect(try found("alice") == ["other.issuer"])
        try cache.remove(homeAccountID: "other.issuer")
        #expect(try found("alice").isEmpty)
        #expect(try found("alice", onlySignedIn: false) == ["other.issuer"])
    }

    @Test("An authority that sends a new username in each response does not fill the store")
    func limit() throws {
        for number in 0..<40 { try save("user\(number)") }
        let profile = try #require(try cache.accounts(["alice.issuer"], onlySignedIn: true).first?.profiles.first)
        #expect(profile.formerUsernames == (23..<39).map { "user\($0)" })
    }

    @Test("An empty username of another program is ignored")
    func blank() throws {
        try save("")
        #expect(try cache.accounts(["alice.issuer"], onlySignedIn: true).first?.username == nil)
    }

    @Test("The library finds an account by the username of its first sign-in")
    func atTheLibrary() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read").account
        try openID.world.store.update(matching: CredentialQuery()) { records in
            records.filter { $0.key.kind == .account }.map { record in
                CredentialRecord(record.key, record.members.merging(["username": "ann"]) { _, new in new })
            }.map(CredentialChange.save)
        }
        #expect(try openID.application.account(forUsername: "ann") == account)
        _ = try await openID.token(account, "User.Read", force: true)
        #expect(try openID.application.account(forUsername: "ann") == account)
        #expect(try openID.application.account(forUsername: "ann@contoso.example") == account)
    }

    @Test(
        "A username stays when a response names the user by another claim",
        arguments: [
            ("alice", ["email": "alice@example.test"], "alice", ["alice@example.test"]),
            ("alice@example.test", [:], "alice@example.test", []),
            (
                "alice@example.test", ["preferred_username": "ali", "email": "Alice@example.test"],
                "alice@example.test",
                ["ali"]
            ),
            ("ann", ["preferred_username": "ann.b"], "ann.b", []), (nil, ["email": "a@b"], "a@b", []),
        ] as [(String?, [String: JSONValue], String, [String])])
    func stable(known: String?, claims: [String: JSONValue], username: String, others: [String]) {
        let all = IDTokenClaims(claims.merging(["sub": "alice"]) { old, _ in old })
        var profile = CachedAccount.Profile(
            localAccountID: "alice", realm: "", username: all.preferredUsername ?? all.email ?? "alice", isHome: true,
            authorityType: CachedAccount.Profile.openIDType)
        profile.keepUsername(known, all)
        #expect(profile.username == username && profile.formerUsernames == others)
    }

    @Test(
        "An account is also found by its UPN and its email, except an unverified one",
        arguments: [
            (CachedAccount.Profile.openIDType, ["preferred_username": "bob", "email": "b@x"], ["b@x"]),
            (CachedAccount.Profile.openIDType, ["email": "b@x", "upn": "bob@y"], ["bob@y"]),
            (
                CachedAccount.Profile.openIDType,
                ["preferred_username": "bob", "email": "b@x", "email_verified": false],
                []
            ),
            (
                CachedAccount.Profile.openIDType,
                ["preferred_username": "bob", "email": "b@x", "email_verified": "false"], []
            ),
            // Users of Microsoft Entra ID can have any email.
            (
                CachedAccount.Profile.entraType, ["preferred_username": "bob", "email": "b@x", "upn": "bob@y"],
                ["bob@y"]
            ),
        ] as [(String, [String: JSONValue], [String])])
    func emails(type: String, claims: [String: JSONValue], others: [String]) throws {
        var grant = TokenGrantTests.grant(home: "bob.issuer", realm: "")
        grant.profile = CachedAccount.Profile(IDTokenClaims(claims), localAccountID: "bob-1", realm: "", type: type)
        #expect(grant.profile.formerUsernames == others)
        try cache.save(grant)
        let usernames = try others + [#require(grant.profile.username)]
        for username in usernames { #expect(try found(username) == ["bob.issuer"]) }
        #expect(try found("b@x").isEmpty == !usernames.contains("b@x"))
    }

    @Test("The username of the first sign-in stays, and later usernames find the account too")
    func stableAtTheLibrary() async throws {
        let openID = try OpenIDWorld()
        let account = try await openID.signIn("User.Read").account
        let subject = try #require(account.homeAccountId?.objectId)
        try openID.world.store.update(matching: CredentialQuery()) { records in
            records.filter { $0.key.kind == .account }.map { record in
                CredentialRecord(record.key, record.members.merging(["username": .string(subject)]) { _, new in new })
            }.map(CredentialChange.save)
        }
        let again = try await openID.signIn("User.Read", "email")
        #expect(again.account.username == subject)
        #expect(try openID.application.allAccounts().map(\.username) == [subject])
        #expect(try openID.application.account(forUsername: "ann@contoso.example") == account)
    }

    @Test("An account at an OpenID provider has no tenant, in results and in lists")
    func noTenant() async throws {
        let openID = try OpenIDWorld()
        let result = try await openID.signIn("User.Read")
        let named = try openID.application.account(forUsername: "ann@contoso.example")
        let listed = try #require(try openID.application.allAccounts().first)
        for account in [result.account, named, listed] {
            #expect(account.homeAccountId?.tenantId == nil)
            #expect(account.homeAccountId?.objectId == result.tenantProfile.identifier)
            #expect((account.tenantProfiles ?? []).allSatisfy { $0.tenantId == nil })
        }
        #expect(result.tenantProfile.tenantId == nil)
        #expect(try await openID.token(result.account, "User.Read").tenantProfile.tenantId == nil)
    }

    @Test(
        "A subject with dots is not split",
        arguments: [("auth0|1.2.c9f0f895fb98ab9159f51f", "auth0|1.2"), ("s.c9f0f895fb98ab9159f51f", "s")])
    func subject(identifier: String, subject: String) {
        let account = MSALAccountId(identifier, isOpenID: true)
        #expect(account.objectId == subject && account.tenantId == nil)
    }

    @Test(
        "A subject that only identifies is not a login hint",
        arguments: [("1", "1.f", nil), ("ada", "ada.f", "ada"), ("ada@x", "1.f", "ada@x")]
            as [(String, String, String?)])
    func hint(username: String, identifier: String, expected: String?) throws {
        let account = MSALAccount(
            username: username, homeAccountId: MSALAccountId(identifier, isOpenID: true), environment: "e",
            tenantProfiles: nil, claims: nil)
        #expect(AccountReference(account)?.hint == expected)
    }
}
