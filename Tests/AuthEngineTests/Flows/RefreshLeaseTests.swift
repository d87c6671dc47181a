import DemoAuthority
import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import AuthEngine

/// Refreshing while another process refreshes for the same account.
@Suite(.oneSessionAtATime) struct RefreshLeaseTests {
    private func signedIn() async throws -> (World, MSALPublicClientApplication, MSALAccount) {
        let signedIn = try await SignedInWorld()
        return (signedIn.world, signedIn.application, signedIn.account)
    }

    private func key(_ account: MSALAccount) throws -> CredentialKey {
        CredentialKey(.refreshToken, homeAccountID: try #require(account.identifier))
    }

    @Test func theOtherProcessTokenIsReturned() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        let lease = try #require(try world.store.lease(key(account)))
        let before = world.store.all
        let log = EventLog()
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        let now = world.time.now()
        parameters.flowEventHandler = { event in
            log.handler(event)
            // The other process refreshes, saves and ends.
            guard event.detail.hasPrefix("Waiting for another program") else { return }
            let renewed = before.filter { $0.key.kind == .accessToken }.map { record in
                var record = record
                record.members["secret"] = "of-the-other"
                record.members["cached_at"] = .string("\(Int(now.timeIntervalSince1970))")
                record.members["expires_on"] = .string("\(Int(now.timeIntervalSince1970) + 3600)")
                return CredentialChange.save(record)
            }
            try? world.store.update(matching: CredentialQuery(kinds: [])) { _ in renewed }
            lease.end()
        }
        let result = try await application.acquireTokenSilent(with: parameters)
        #expect(result.accessToken == "of-the-other" && result.isFromCache)
        #expect(world.transport.requests.isEmpty)
        #expect(log.all.contains { $0.step == .waitForRefresh && $0.phase == .succeeded })
    }

    @Test func aLeaseIsReleasedAfterEveryResult() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        _ = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        let first = try #require(try world.store.lease(key(account)))
        first.end()
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
        lease.end()
    }

    @Test func theWaitForALeaseIsLimited() async throws {
        let (world, application, account) = try await signedIn()
        world.time.advance(by: 3600)
        let lease = try #require(try world.store.lease(key(account)))
        let error = await #expect(throws: MSALAuthenticationError.self) {
            _ = try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        #expect(error?.localizedDescription.contains("180 seconds") == true)
        #expect(world.transport.requests.isEmpty)
        lease.end()
    }
}
