import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Account stores that a program provides (docs/upstream-behaviour.md §4.8 and §4.9).
@Suite(.oneSessionAtATime) struct ExternalAccountsTests {
    private func application(_ world: World, _ providers: StoreOfAProgram...) throws -> MSALPublicClientApplication {
        try world.application { configuration in
            for provider in providers { configuration.cacheConfig.addExternalAccountProvider(provider) }
        }
    }

    private func signIn(_ application: MSALPublicClientApplication) async throws -> MSALAccount {
        try await application.acquireToken(
            with: MSALInteractiveTokenParameters(
                scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        ).account
    }

    @Test func itsAccountsAreListedWithTheCachedOnes() async throws {
        var world = try World()
        world.seat(.ann)
        let provider = StoreOfAProgram(accounts: [ProgramAccount(identifier: "x.t", username: "x@contoso.example")])
        let application = try application(world, provider)
        let ann = try await signIn(application)
        #expect(try application.allAccounts().map(\.identifier) == [ann.identifier, "x.t"])
        #expect(try application.account(forUsername: "X@contoso.example").identifier == "x.t")
    }

    @Test func anAccountInBothIsListedOnceWithTheTenantsOfBoth() async throws {
        var world = try World()
        world.seat(.ann)
        let ann = try await signIn(world.application())
        let profile = MSALTenantProfile(
            identifier: "o", environment: "e", tenantId: "another", isHomeTenantProfile: false, claims: nil)
        let provider = StoreOfAProgram(accounts: [
            ProgramAccount(identifier: ann.identifier, username: "stale", tenantProfiles: [profile])
        ])
        let listed = try application(world, provider).allAccounts()
        #expect(listed.map(\.username) == ["ann@contoso.example"])
        #expect(listed.first?.tenantProfiles?.map(\.tenantId).last == "another")
        #expect(listed.first?.tenantProfiles?.count == 2)
    }

    @Test func accountsOfAProviderThatIgnoresTheFilterAreFiltered() throws {
        let provider = StoreOfAProgram(accounts: [ProgramAccount(identifier: "x.t", username: "x@contoso.example")])
        let application = try application(try World(), provider)
        let parameters = MSALAccountEnumerationParameters(identifier: "y.t")
        #expect(try application.accounts(for: parameters).isEmpty)
    }

    @Test func aSignedOutAccountStaysSignedOutAndTheProviderGetsTheRemoval() async throws {
        var world = try World()
        world.seat(.ann)
        let provider = StoreOfAProgram()
        let application = try application(world, provider)
        let ann = try await signIn(application)
        provider.replace(with: [ProgramAccount(identifier: ann.identifier, username: ann.username)])
        try application.remove(ann)
        #expect(provider.log.last == "remove ann@contoso.example wipe=false")
        #expect(try application.allAccounts().isEmpty)
        let all = MSALAccountEnumerationParameters()
        all.returnOnlySignedInAccounts = false
        #expect(try application.accounts(for: all).map(\.identifier) == [ann.identifier])
    }

    @Test func theProviderGetsNetworkResultsButNoCachedOnes() async throws {
        var world = try World()
        world.seat(.ann)
        let provider = StoreOfAProgram()
        let application = try application(world, provider)
        let ann = try await signIn(application)
        #expect(provider.log == ["update ann@contoso.example Ann Archer"])
        _ = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: ann))
        #expect(provider.log.count == 1)
        let refresh = MSALSilentTokenParameters(scopes: ["User.Read"], account: ann)
        refresh.forceRefresh = true
        _ = try await application.acquireTokenSilent(with: refresh)
        #expect(provider.log.count == 2)
    }

    @Test(.timeLimit(.minutes(10))) func aProviderMayListTheAccountsWhileItRemovesOne() async throws {
        var world = try World()
        world.seat(.ann)
        let provider = StoreOfAProgram(accounts: [ProgramAccount(identifier: "x.t", username: "x")])
        let application = try application(world, provider)
        let ann = try await signIn(application)
        provider.whileRemoving { _ = try application.allAccounts() }
        try application.remove(ann)
        #expect(provider.log.last == "remove ann@contoso.example wipe=false")
    }

    @Test func aFailingProviderFailsNeitherTokenNorListNorOtherProviders() async throws {
        var world = try World()
        world.seat(.ann)
        let broken = StoreOfAProgram(fails: true)
        let sound = StoreOfAProgram(accounts: [ProgramAccount(identifier: "x.t", username: "x")])
        let application = try application(world, broken, sound)
        let ann = try await signIn(application)
        #expect(sound.log.count == 1)
        #expect(try application.allAccounts().count == 2)
        let error = #expect(throws: MSALAuthenticationError.self) { try application.remove(ann) }
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == "program")
        #expect(sound.log.last == "remove ann@contoso.example wipe=false")
        #expect(!world.store.all.contains { $0.key.kind == .refreshToken })
    }
}

private struct ProgramAccount: MSALAccountProtocol {
    var identifier: String?
    var username: String?
    var tenantProfiles: [MSALTenantProfile]?
    var environment: String { "login.windows.net" }
    var accountClaims: [String: Any]? { ["name": "From outside", "level": 3] }
    var homeAccountId: MSALAccountId? { nil }
    var isSSOAccount: Bool { false }
}

private final class StoreOfAProgram: MSALExternalAccountProviding, Sendable {
    private let accounts: Locked<[ProgramAccount]>
    private let calls = Locked<[String]>([])
    private let fails: Bool
    private let removing = Locked<(@Sendable () throws -> Void)?>(nil)

    init(accounts: [ProgramAccount] = [], fails: Bool = false) {
        self.accounts = Locked(accounts)
        self.fails = fails
    }

    var log: [String] { calls.withLock { $0 } }

    func replace(with accounts: [ProgramAccount]) { self.accounts.withLock { $0 = accounts } }

    func whileRemoving(_ work: @escaping @Sendable () throws -> Void) { removing.withLock { $0 = work } }

    private func note(_ call: String) throws {
        calls.withLock { $0.append(call) }
        if fails { throw NSError(domain: "program", code: 1) }
    }

    func update(_ account: any MSALAccountProtocol, idTokenClaims: [AnyHashable: Any]) throws {
        try note("update \(account.username ?? "") \(idTokenClaims["name"] ?? "")")
    }

    func remove(
        _ account: any MSALAccountProtocol, wipeAccount: Bool, tenantProfiles: [MSALTenantProfile]?
    ) throws {
        try removing.withLock(\.self)?()
        try note("remove \(account.username ?? "") wipe=\(wipeAccount)")
    }

    func accounts(with parameters: MSALAccountEnumerationParameters) throws -> [any MSALAccountProtocol] {
        if fails { throw NSError(domain: "program", code: 2) }
        return accounts.withLock { $0 }
    }
}
