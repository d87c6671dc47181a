import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Lists the expected accounts, with the expected tenant profiles (docs/upstream-behaviour.md §4.8).
@Suite struct AccountEnumerationTests {
    /// Ana has a home tenant and is a guest in another, Ben is in one tenant, Cy has signed out.
    private static func world() throws -> World {
        let world = try World()
        let cache = TokenCache(store: world.store, clientID: DemoAuthorityServer.clientID)
        for (home, realm, local, name) in [
            ("a.home", "home", "a-local", "Ana@Contoso.example"), ("a.home", "guest", "a-guest", "ana@contoso.example"),
            ("b.home", "home", "b-local", "ben@contoso.example"), ("c.home", "home", "c-local", "cy@contoso.example"),
        ] {
            var grant = TokenGrantTests.grant(home: home, client: DemoAuthorityServer.clientID, realm: realm)
            grant.profile.localAccountID = local
            grant.profile.username = name
            try cache.save(grant)
        }
        try cache.remove(homeAccountID: "c.home")
        return world
    }

    private func accounts(
        _ parameters: MSALAccountEnumerationParameters, onlySignedIn: Bool = true
    ) throws -> [MSALAccount] {
        parameters.returnOnlySignedInAccounts = onlySignedIn
        return try Self.world().application().accounts(for: parameters)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        var identifier: String?
        var username: String?
        var tenantProfile: String?
        var onlySignedIn = true
        var found: [String]

        var parameters: MSALAccountEnumerationParameters {
            if let tenantProfile { return MSALAccountEnumerationParameters(tenantProfileIdentifier: tenantProfile) }
            if let username { return MSALAccountEnumerationParameters(identifier: identifier, username: username) }
            return identifier.map { MSALAccountEnumerationParameters(identifier: $0) }
                ?? MSALAccountEnumerationParameters()
        }

        var testDescription: String {
            "\(identifier ?? "any"), \(username ?? "any"), \(tenantProfile ?? "any")\(onlySignedIn ? "" : ", all")"
        }
    }

    @Test(arguments: [
        Row(found: ["a.home", "b.home"]),
        Row(onlySignedIn: false, found: ["a.home", "b.home", "c.home"]),
        Row(identifier: "B.HOME", found: ["b.home"]),
        Row(identifier: "c.home", found: []),
        Row(identifier: "c.home", onlySignedIn: false, found: ["c.home"]),
        Row(identifier: "unknown", found: []),
        Row(username: "ANA@contoso.EXAMPLE", found: ["a.home"]),
        Row(identifier: "a.home", username: "ana@contoso.example", found: ["a.home"]),
        Row(identifier: "b.home", username: "ana@contoso.example", found: []),
        Row(tenantProfile: "A-Guest", found: ["a.home"]),
        Row(tenantProfile: "a-local", found: ["a.home"]),
        Row(tenantProfile: "x", found: []),
        Row(username: "ana", found: []),
    ])
    func everyGivenMemberMustMatch(_ row: Row) throws {
        let found = try accounts(row.parameters, onlySignedIn: row.onlySignedIn)
        #expect(found.map(\.identifier) == row.found)
    }

    @Test func tenantsOfOneHomeAccountAreProfilesOfOneAccount() throws {
        let account = try #require(try accounts(MSALAccountEnumerationParameters(identifier: "a.home")).first)
        let profiles = try #require(account.tenantProfiles)
        #expect(profiles.map(\.tenantId) == ["home", "guest"])
        #expect(profiles.map(\.identifier) == ["a-local", "a-guest"])
        #expect(profiles.map(\.isHomeTenantProfile) == [true, false])
        #expect(account.username == "Ana@Contoso.example")
    }

    @Test func deviceAccountsMatchTheCacheInBothForms() async throws {
        let application = try Self.world().application()
        let parameters = MSALAccountEnumerationParameters()
        #expect(try await application.accountsFromDevice(for: parameters).count == 2)
        let count = try await withCheckedThrowingContinuation { continuation in
            application.accountsFromDevice(for: parameters) { accounts, error in
                continuation.resume(with: Result { try error.map { throw $0 } ?? accounts?.count })
            }
        }
        #expect(count == 2)
    }

    @Test(arguments: ["", "unknown@contoso.example"]) func aMissingAccountThrows(name: String) throws {
        let application = try Self.world().application()
        #expect(throws: MSALAuthenticationError.self) { try application.account(forUsername: name) }
        #expect(throws: MSALAuthenticationError.self) { try application.account(forIdentifier: name) }
    }
}
