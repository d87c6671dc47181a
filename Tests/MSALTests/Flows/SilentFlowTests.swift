import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// The steps of a silent call (docs/upstream-behaviour.md §5). The test fails if the browser opens.
@Suite(.oneSessionAtATime) struct SilentFlowTests {
    /// A world in which Ann has signed in.
    private func signedIn() async throws -> (World, MSALPublicClientApplication, MSALAccount) {
        let signedIn = try await SignedInWorld()
        return (signedIn.world, signedIn.application, signedIn.account)
    }

    private func failure(_ work: () async throws -> MSALResult) async throws -> NSError {
        try await SignedInWorld.failure(work)
    }

    @Test func aCachedTokenNeedsNeitherNetworkNorWrite() async throws {
        let (world, application, account) = try await signedIn()
        let updates = world.store.updates
        let result = try await application.acquireTokenSilent(with: .init(scopes: ["user.read"], account: account))
        #expect(result.isFromCache)
        #expect(world.transport.requests.isEmpty)
        #expect(world.store.updates == updates)
        #expect(result.account == account)
    }

    @Test func aCachedTokenHasTheChecksThatStillApply() async throws {
        let (world, application, account) = try await signedIn()
        let result = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        let verdicts = Dictionary(uniqueKeysWithValues: result.idTokenVerdicts.map { ($0.rule, $0.outcome) })
        #expect(verdicts["Signature"] == .passed)
        #expect(verdicts["Nonce"] == .skipped)
        #expect(world.transport.requests.isEmpty)
    }

    @Test func anExpiredTokenIsRefreshedWithOneRequest() async throws {
        let (world, application, account) = try await signedIn()
        _ = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account, force: true))
        world.transport.forget()
        world.time.advance(by: 3600)
        let result = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        #expect(!result.isFromCache)
        #expect(world.transport.requests.count == 1)
        #expect(world.transport.requests.first?.url.path().hasSuffix("/token") == true)
        #expect(world.store.all.count { $0.key.kind == .accessToken } == 1)
    }

    @Test(
        "A short-lived token is used for half of its life, but not in its last minute",
        arguments: [(300.0, 149.0, true), (300, 151, false), (100, 39, true), (100, 41, false), (60, 1, false)])
    func shortLife(lifetime: Double, age: Double, isFromCache: Bool) async throws {
        var settings = AuthoritySettings()
        settings.lifetimes.accessToken = lifetime
        let signedIn = try await SignedInWorld(settings)
        signedIn.world.time.advance(by: age)
        #expect(try await signedIn.token().isFromCache == isFromCache)
    }

    @Test(arguments: [(3299.0, true), (3301.0, false)])
    func aTokenCountsAsExpiredFiveMinutesEarly(age: Double, isFromCache: Bool) async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: age)
        let result = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        #expect(result.isFromCache == isFromCache)
    }

    @Test func otherScopesAreRequested() async throws {
        let (world, application, account) = try await signedIn()
        let result = try? await application.acquireTokenSilent(with: .init(scopes: ["Mail.Read"], account: account))
        #expect(result?.isFromCache != true)
        #expect(!world.transport.requests.isEmpty)
    }

    @Test func forceRefreshSkipsTheCache() async throws {
        let (world, application, account) = try await signedIn()
        let result = try await application.acquireTokenSilent(
            with: .init(scopes: ["User.Read"], account: account, force: true))
        #expect(!result.isFromCache)
        #expect(!world.transport.requests.isEmpty)
    }

    @Test func afterRemovalInteractionIsRequired() async throws {
        let (world, application, account) = try await signedIn()
        try application.remove(account)
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account, force: true))
        }
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(world.transport.requests.isEmpty)
        #expect(try application.allAccounts().isEmpty)
    }

    @Test func aRefreshForAnotherAccountIsReportedAndNotSaved() async throws {
        let (world, application, account) = try await signedIn()
        world.transport.changeJSON(of: "/token") {
            $0["id_token"] = nil
            $0["client_info"] = .string(ClientInfo(uid: "another", utid: "else").raw)
        }
        let before = world.store.all
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account, force: true))
        }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(world.store.all == before)
    }

    /// A refresh needs no ID token (OpenID Connect Core §12.2).
    @Test func aRefreshWithoutIDTokenKeepsTheAccount() async throws {
        let (world, application, account) = try await signedIn()
        world.transport.changeJSON(of: "/token") {
            $0["id_token"] = nil
        }
        let before = try #require(application.allAccounts().first)
        let result = try await application.acquireTokenSilent(
            with: .init(scopes: ["User.Read"], account: account, force: true))
        #expect(result.account.username == account.username && result.account.name == account.name)
        #expect(result.tenantProfile.identifier == before.tenantProfiles?.first?.identifier)
        let after = try #require(application.allAccounts().first)
        #expect(after.username == before.username && after.name == before.name)
        #expect(after.identifier == before.identifier)
    }

    /// Another process removes the account during the refresh: it stays removed.
    @Test func aRefreshDoesNotUndoARemoval() async throws {
        let (world, application, account) = try await signedIn()
        let store = world.store
        world.transport.tamper { request, response in
            if request.url.path().hasSuffix("/token") {
                try? TokenCache(store: store, clientID: DemoAuthorityServer.clientID)
                    .remove(homeAccountID: account.identifier ?? "")
            }
            return response
        }
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account, force: true))
        }
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(try application.allAccounts().isEmpty)
        #expect(!world.store.all.contains { $0.key.kind == .refreshToken })
    }

    @Test func aRejectedRefreshTokenRequiresInteraction() async throws {
        let (world, application, account) = try await signedIn()
        var token = try #require(world.store.all.first { $0.key.kind == .refreshToken })
        token.members["secret"] = "forged"
        try world.store.update(matching: CredentialQuery()) { _ in [.save(token)] }
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account, force: true))
        }
        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
    }

    @Test(arguments: [AuthorityTransport.Trouble.offline, .status(503)])
    func aTokenThatIsOnlyDueForRefreshServesDuringAnOutage(trouble: AuthorityTransport.Trouble) async throws {
        let (world, application, account) = try await signedIn()
        var token = try #require(world.store.all.first { $0.key.kind == .accessToken })
        token.members["refresh_on"] = "1767225601"
        try world.store.update(matching: CredentialQuery()) { _ in [.save(token)] }
        world.time.advance(by: 60)
        world.transport.trouble(trouble)
        let result = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        #expect(result.isFromCache)
        #expect(!world.transport.requests.isEmpty)
    }

    @Test func offlineWithAnExpiredTokenIsANetworkError() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 4000)
        world.transport.trouble(.offline)
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSURLErrorDomain)
    }

    @Test func aFailingStoreHasItsOwnError() async throws {
        let (world, application, account) = try await signedIn()
        world.store.fail(with: CredentialStoreFailure(.io, reason: "The disk is full."))
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        #expect(error.localizedDescription == "The disk is full.")
        #expect(throws: MSALAuthenticationError.self) { try application.allAccounts() }
    }

    @Test func aRefreshedIDTokenOfAnotherUserIsRejected() async throws {
        let (world, application, account) = try await signedIn()
        var idToken = try #require(world.store.all.first { $0.key.kind == .idToken })
        let claims = JSONValue.object(["sub": "another-user"]).serialized
        idToken.members["secret"] = .string("e30.\(Data(claims.utf8).base64EncodedString().filter { $0 != "=" }).AA")
        try world.store.update(matching: CredentialQuery()) { _ in [.save(idToken)] }
        let before = world.store.all
        let error = try await failure {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account, force: true))
        }
        #expect(
            error.userInfo[MSALInternalErrorCodeKey] as? Int == MSALInternalError.internalErrorInvalidResponse.rawValue)
        #expect(world.store.all == before)
    }
}

extension MSALSilentTokenParameters {
    fileprivate convenience init(scopes: [String], account: MSALAccount, force: Bool) {
        self.init(scopes: scopes, account: account)
        forceRefresh = force
    }
}
