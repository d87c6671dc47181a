import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Refreshing while another process refreshes for the same account.
@Suite("Waiting for another refresh", .oneSessionAtATime) struct RefreshLeaseTests {
    private func signedIn() async throws -> (World, MSALPublicClientApplication, MSALAccount) {
        let signedIn = try await SignedInWorld()
        return (signedIn.world, signedIn.application, signedIn.account)
    }

    private func key(_ account: MSALAccount) throws -> CredentialKey {
        CredentialKey(.refreshToken, homeAccountID: try #require(account.identifier))
    }

    /// The other process refreshes while the call waits, and its token is valid for `lifetime` seconds.
    private func waited(
        lifetime: Int = 3600, _ change: (MSALSilentTokenParameters) throws -> Void = { _ in }
    ) async throws -> (World, MSALResult, EventLog) {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        let lease = try #require(try world.store.lease(key(account)))
        let before = world.store.all
        let log = EventLog()
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        try change(parameters)
        let now = world.time.now()
        parameters.flowEventHandler = { event in
            log.handler(event)
            // The other process refreshes, saves and ends.
            guard event.detail.hasPrefix("Waiting for another program") else { return }
            let refreshed = before.filter { $0.key.kind == .accessToken }.map { record in
                var record = record
                record.members["secret"] = "of-the-other"
                record.members["cached_at"] = .string("\(Int(now.timeIntervalSince1970))")
                record.members["expires_on"] = .string("\(Int(now.timeIntervalSince1970) + lifetime)")
                return CredentialChange.save(record)
            }
            try? world.store.update(matching: CredentialQuery(kinds: [])) { _ in refreshed }
            lease.release()
        }
        return (world, try await application.acquireTokenSilent(with: parameters), log)
    }

    @Test func theOtherProcessTokenIsReturned() async throws {
        let (world, result, log) = try await waited()
        #expect(result.accessToken == "of-the-other" && result.isFromCache)
        #expect(world.transport.requests.isEmpty)
        #expect(log.all.contains { $0.step == .waitForRefresh && $0.phase == .succeeded })
    }

    /// It is newer than the request for a new one.
    @Test func theOtherProcessTokenIsReturnedInsteadOfANewOne() async throws {
        let (world, result, _) = try await waited { $0.forceRefresh = true }
        #expect(result.accessToken == "of-the-other" && result.isFromCache)
        #expect(world.transport.requests.isEmpty)
    }

    @Test func theOtherProcessTokenIsReturnedEvenIfItExpiresSoon() async throws {
        let (world, result, _) = try await waited(lifetime: 60)
        #expect(result.accessToken == "of-the-other" && result.isFromCache)
        #expect(world.transport.requests.isEmpty)
    }

    @Test func theOtherProcessTokenIsNotReturnedWhenItHasExpired() async throws {
        let (_, result, _) = try await waited(lifetime: 1)
        #expect(result.accessToken != "of-the-other" && !result.isFromCache)
    }

    /// The other process may not have made it.
    @Test func theOtherProcessTokenDoesNotMeetAClaimsRequest() async throws {
        let (_, result, _) = try await waited {
            $0.claimsRequest = try MSALClaimsRequest(challenge: #"{"access_token":{"acrs":{"value":"c1"}}}"#)
        }
        #expect(result.accessToken != "of-the-other" && !result.isFromCache)
    }

    @Test func aTokenThatNobodyReplacedIsRefreshedOnRequest() async throws {
        let (world, application, account) = try await signedIn()
        let lease = try #require(try world.store.lease(key(account)))
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.forceRefresh = true
        parameters.flowEventHandler = { event in
            // The other process ends without a new token.
            if event.detail.hasPrefix("Waiting for another program") { lease.release() }
        }
        let result = try await application.acquireTokenSilent(with: parameters)
        #expect(!result.isFromCache)
    }

    @Test func aLeaseIsReleasedAfterEveryResult() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        _ = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        let first = try #require(try world.store.lease(key(account)))
        first.release()
        world.time.advance(by: 3600)
        world.store.fail(with: CredentialStoreFailure(.io, reason: "The disk is full."))
        _ = try? await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        world.store.fail(with: nil)
        #expect(try world.store.lease(key(account)) != nil)
    }

    @Test func waitingCanBeCancelled() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        let lease = try #require(try world.store.lease(key(account)))
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.flowEventHandler = { event in
            if event.detail.hasPrefix("Waiting for another program") { withUnsafeCurrentTask { $0?.cancel() } }
        }
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: parameters)
        }
        #expect(error?.code == MSALError.userCanceled.rawValue)
        #expect(world.transport.requests.isEmpty)
        lease.release()
    }

    @Test func theWaitForALeaseIsLimited() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        let lease = try #require(try world.store.lease(key(account)))
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        #expect(error?.localizedDescription.contains("45 seconds") == true)
        #expect(error?.failureKind == .unavailable)
        #expect(world.transport.requests.isEmpty)
        lease.release()
    }

    @Test func theHolderOfTheLeaseIsNamed() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        let lease = try #require(try world.store.lease(key(account)))
        world.store.name(holder: TurnHolder(name: "keyturn (process 7)", isStopped: true))
        let log = EventLog()
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        parameters.flowEventHandler = log.handler
        let before = world.time.now()
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: parameters)
        }
        #expect(error?.localizedDescription.hasPrefix("keyturn (process 7) is suspended") == true)
        #expect(log.all.contains { $0.detail.hasPrefix("Waiting for keyturn (process 7)") })
        #expect((10..<13).contains(world.time.now().timeIntervalSince(before)))
        lease.release()
    }

    @Test func aTokenThatIsDueIsReturnedWhenTheWaitIsOver() async throws {
        let (world, application, account) = try await signedIn()
        let tokens = world.store.all.filter { $0.key.kind == .accessToken }.map { record in
            var record = record
            record.members["refresh_on"] = .string("\(Int(world.time.now().timeIntervalSince1970) - 1)")
            return CredentialChange.save(record)
        }
        try world.store.update(matching: CredentialQuery()) { _ in tokens }
        let lease = try #require(try world.store.lease(key(account)))
        let result = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        #expect(result.isFromCache)
        lease.release()
    }

    /// So that no other process redeems the same refresh token meanwhile.
    @Test func theLeaseIsHeldWhileTheRefreshIsOnItsWay() async throws {
        let box = Locked<GatedTransport?>(nil)
        let signedIn = try await SignedInWorld(transport: { world in
            let gate = GatedTransport(world.transport)
            box.withLock { $0 = gate }
            return gate
        })
        let gate = try #require(box.withLock { $0 })
        let key = try key(signedIn.account)
        let task = Task { [application = signedIn.application, account = signedIn.account] in
            let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
            parameters.forceRefresh = true
            return try await application.acquireTokenSilent(with: parameters)
        }
        try await gate.arrival()
        let other = try signedIn.world.store.lease(key)
        #expect(other == nil)
        other?.release()
        gate.open()
        _ = try await task.value
        #expect(try signedIn.world.store.lease(key) != nil)
    }
}
