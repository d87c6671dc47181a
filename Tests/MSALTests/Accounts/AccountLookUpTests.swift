import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// How many records a lookup opens: opening a record is the main cost.
@Suite("Account lookup")
struct AccountLookUpTests {
    private let world: World
    private let application: MSALPublicClientApplication
    private let cache: TokenCache

    init() throws {
        world = try World()
        application = try world.application()
        cache = TokenCache(store: world.store, clientID: DemoAuthorityServer.clientID)
        for name in ["ana", "ben"] { try Self.add(name, to: cache) }
    }

    private static func add(_ name: String, to cache: TokenCache) throws {
        var grant = TokenGrantTests.grant(home: "\(name).home", client: DemoAuthorityServer.clientID, realm: "home")
        grant.profile.username = "\(name)@contoso.example"
        try cache.save(grant)
    }

    @Test("Lists accounts from memory until the store changes")
    func remembered() throws {
        let first = try application.allAccounts()
        let read = world.store.queries.count
        #expect(try application.allAccounts().map(\.identifier) == first.map(\.identifier))
        #expect(world.store.queries.count == read)

        try Self.add("cy", to: cache)
        #expect(try application.allAccounts().map(\.identifier) == ["ana.home", "ben.home", "cy.home"])
        try application.remove(first[0])
        #expect(try application.allAccounts().map(\.identifier) == ["ben.home", "cy.home"])
        let parameters = MSALAccountEnumerationParameters()
        parameters.returnOnlySignedInAccounts = false
        #expect(try application.accounts(for: parameters).map(\.identifier) == ["ana.home", "ben.home", "cy.home"])
    }

    @Test("Does not list accounts from memory when the store fails")
    func failing() throws {
        _ = try application.allAccounts()
        world.store.fail(with: CredentialStoreFailure(.io, reason: "It failed."))
        #expect(throws: MSALAuthenticationError.self) { try application.allAccounts() }
    }

    @Test("Finds the authorities of many accounts with as many queries as those of one", arguments: [1, 40])
    func authorities(count: Int) throws {
        for number in 0..<count {
            try cache.save(
                TokenGrantTests.grant(home: "\(number).home", client: DemoAuthorityServer.clientID, realm: "home"))
        }
        let accounts = try application.allAccounts()
        let read = world.store.queries.count
        let found = try application.authorities(of: accounts)
        #expect(world.store.queries.count == read)
        #expect(found.count == accounts.count)
        for account in accounts {
            #expect(try found[account.identifier ?? ""] == application.authorities(of: account))
        }
        #expect(found["0.home"]?.isEmpty == false)
    }

    @Test("An account has its own authorities next to an account of a resource, which isn't listed")
    func authoritiesBesideResource() throws {
        var grant = TokenGrantTests.grant(
            home: "a@resource:mark.home", client: DemoAuthorityServer.clientID, realm: "home")
        grant.requestedAuthority = "https://resource.example"
        try cache.save(grant)
        let accounts = try application.allAccounts()
        #expect(accounts.map(\.identifier) == ["ana.home", "ben.home"])
        for authorities in try application.authorities(of: accounts).values {
            #expect(authorities.map { $0.host() } == ["login.microsoftonline.com"])
        }
    }

    @Test("Reads digests and only the named account's tokens")
    func named() throws {
        #expect(try application.account(forUsername: "BEN@contoso.example").identifier == "ben.home")
        #expect(try application.account(forIdentifier: "Ben.HOME").identifier == "ben.home")
        #expect(throws: MSALAuthenticationError.self) { try application.account(forUsername: "unknown") }
        #expect(throws: MSALAuthenticationError.self) { try application.account(forIdentifier: "unknown") }
        #expect(
            world.store.queries.allSatisfy { query in
                // The memory store computes digests from all records.
                query == CredentialQuery() || query.homeAccountIDs.map { $0.count == 1 } ?? false
            })
    }

    @Test(
        "Reads the digests once for a name, an identifier or a username, and once for all others, until the store changes"
    )
    func searchedOnce() throws {
        func search(_ name: String) throws -> (found: [String?], searches: Int) {
            let before = world.store.queries.count
            let found = try [
                MSALAccountEnumerationParameters(identifier: name),
                MSALAccountEnumerationParameters(identifier: nil, username: name),
            ].flatMap(application.accounts(for:)).map(\.identifier)
            return (found, world.store.queries.dropFirst(before).count { $0 == CredentialQuery() })
        }
        #expect(try search("BEN@contoso.example") == (["ben.home"], 1))
        #expect(try search("cid@contoso.example") == ([], 1))
        #expect(try search("BEN.home") == (["ben.home"], 0))
        try Self.add("cid", to: cache)
        #expect(try search("cid@contoso.example") == (["cid.home"], 1))
        #expect(try search("CID@contoso.example") == (["cid.home"], 1))
        #expect(try search("CID.home") == (["cid.home"], 0))
    }
}
