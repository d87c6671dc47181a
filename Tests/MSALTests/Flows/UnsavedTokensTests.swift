import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A code or refresh token is spent only if the new tokens can be saved. If they can't be after all, the caller gets
/// them, because nobody else has them.
@Suite("Tokens that cannot be cached", .oneSessionAtATime) struct UnsavedTokensTests {
    private static let full = CredentialStoreFailure(.io, reason: "The disk is full.")
    private static let damaged = CredentialStoreFailure(.damagedRecords, reason: "Entries were set aside.")

    private func interactive() -> MSALInteractiveTokenParameters {
        MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
    }

    @Test("Without room, no refresh token is sent")
    func noRoomToRefresh() async throws {
        let world = try await SignedInWorld()
        world.world.store.denyRoom(with: Self.full)
        #expect(try await world.failure(force: true).failureKind == .store)
        #expect(world.tokenRequests.isEmpty)
        world.world.store.denyRoom(with: nil)
        #expect(try await world.token(force: true).cachingError == nil)
        #expect(world.world.store.rooms == 0)
    }

    @Test("A new refresh token is cached although no token came with it, because it replaces the one that was spent")
    func onlyRefreshToken() async throws {
        let world = try await SignedInWorld()
        world.world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"), var members = try? JSONValue(parsing: response.body).object
            else { return response }
            for name in ["access_token", "id_token"] { members[name] = nil }
            members["refresh_token"] = "next"
            var response = response
            response.body = Array(JSONValue.object(members).serialized.utf8)
            return response
        }
        #expect(try await world.failure(force: true).failureKind == .protocolViolation)
        let records = world.world.store.all.filter { $0.key.kind == .refreshToken }
        #expect(records.map { $0.members["secret"]?.string } == ["next"])
    }

    @Test("Without room, a valid token that is due for refresh is returned")
    func dueToken() async throws {
        let world = try await SignedInWorld()
        try world.change(.accessToken) { $0.members["refresh_on"] = "1" }
        world.world.store.denyRoom(with: Self.full)
        #expect(try await world.token().isFromCache)
        #expect(world.tokenRequests.isEmpty)
    }

    @Test("A refreshed token is returned with the reason; the room ends before it is saved")
    func refreshed() async throws {
        let world = try await SignedInWorld()
        let store = world.world.store
        let before = store.all
        store.failToSave(with: Self.full)
        let log = EventLog()
        let parameters = world.parameters(force: true)
        let roomsWhenSaving = Locked<[Int]>([])
        parameters.flowEventHandler = { event in
            log.handler(event)
            if event.step == .saveTokens { roomsWhenSaving.withLock { $0.append(store.rooms) } }
        }
        let result = try await world.application.acquireTokenSilent(with: parameters)
        #expect(!result.accessToken.isEmpty && !result.isFromCache)
        let error = try #require(result.cachingError)
        #expect(error.failureKind == .store)
        #expect(
            error.localizedDescription == "The new tokens could not be cached. The disk is full. "
                + "The cached refresh token is spent, so expect a sign-in at the next refresh.")
        #expect(error.localizedRecoverySuggestion?.hasSuffix("then sign in again.") == true)
        #expect(log.all.last { $0.step == .saveTokens }?.phase == .failed)
        #expect(roomsWhenSaving.withLock { $0 } == [0, 0])
        #expect(store.all == before)
    }

    @Test("A refresh token that the authority did not replace is not lost")
    func notReplaced() async throws {
        let world = try await SignedInWorld()
        world.world.transport.tamper { request, response in
            guard request.url.path().hasSuffix("/token"),
                var body = try? JSONValue(parsing: response.body).object
            else { return response }
            body["refresh_token"] = nil
            var changed = response
            changed.body = Array(JSONValue.object(body).serialized.utf8)
            return changed
        }
        world.world.store.failToSave(with: Self.full)
        let error = try #require(try await world.token(force: true).cachingError)
        #expect(error.localizedDescription == "The new tokens could not be cached. The disk is full.")
        #expect(error.localizedRecoverySuggestion?.hasSuffix("then try again.") == true)
    }

    @Test("A store that has set damage aside gets the tokens again")
    func mended() async throws {
        let world = try await SignedInWorld()
        world.world.store.failToSave(with: Self.damaged)
        let result = try await world.token(force: true)
        #expect(result.cachingError == nil)
        #expect(try await world.token().accessToken == result.accessToken)
        world.world.store.failToSave(with: Self.damaged, Self.damaged)
        #expect(try await world.token(force: true).cachingError != nil)
    }

    @Test("A sign-in that finds damage after its code was redeemed is saved")
    func damageFoundLate() async throws {
        let world = try OpenIDWorld()
        let store = world.world.store
        world.change { _ in store.failToRead(with: Self.damaged) }
        let parameters = interactive()
        parameters.requiredUser = "ann@contoso.example"
        let log = EventLog()
        parameters.flowEventHandler = log.handler
        let result = try await world.application.acquireToken(with: parameters)
        #expect(result.cachingError == nil)
        #expect(try world.application.allAccounts().count == 1)
        #expect(log.all.contains { $0.phase == .noted && $0.detail == Self.damaged.reason })
    }

    @Test("Without room, no browser opens")
    func noRoomToSignIn() async throws {
        let world = try World()
        world.store.denyRoom(with: Self.full)
        let error = try await SignedInWorld.failure { try await world.application().acquireToken(with: interactive()) }
        #expect(error.failureKind == .store)
        #expect(world.transport.requests.isEmpty)
    }

    @Test("A code is not redeemed if the room is gone when the user returns")
    func roomGone() async throws {
        var world = try World()
        let store = world.store
        world.seat(.ann) { address in
            store.denyRoom(with: Self.full)
            return address
        }
        let error = try await SignedInWorld.failure { try await world.application().acquireToken(with: interactive()) }
        #expect(error.failureKind == .store)
        #expect(!world.transport.requests.contains { $0.url.path().hasSuffix("/token") })
    }

    @Test("A sign-in's tokens are returned with the reason, and no account is listed")
    func signedIn() async throws {
        var world = try World()
        world.seat(.ann)
        world.store.failToSave(with: Self.full)
        let application = try world.application()
        let result = try await application.acquireToken(with: interactive())
        #expect(!result.accessToken.isEmpty)
        #expect(
            result.cachingError?.localizedDescription
                == "The new tokens could not be cached. The disk is full. The cache lacks this sign-in.")
        #expect(try application.allAccounts().isEmpty)
    }

    @Test("A device code is not redeemed if the room is gone before a poll")
    func deviceCode() async throws {
        let world = try World()
        let store = world.store
        let parameters = MSALDeviceCodeParameters(scopes: ["User.Read"]) { _ in store.denyRoom(with: Self.full) }
        let error = try await SignedInWorld.failure { try await world.application().acquireToken(with: parameters) }
        #expect(error.failureKind == .store)
        #expect(!world.transport.requests.contains { $0.url.path().hasSuffix("/token") })
    }
}
