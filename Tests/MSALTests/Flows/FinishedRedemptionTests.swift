import DemoAuthority
import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// A cancelled call that has sent a code or refresh token waits for the response and saves it.
@Suite("Redemptions of cancelled calls", .oneSessionAtATime) struct FinishedRedemptionTests {
    private final class Box { var gate: GatedTransport? }

    /// An expired token, with the authority's response held back.
    private func expired() async throws -> (SignedInWorld, GatedTransport) {
        let box = Box()
        let signedIn = try await SignedInWorld(transport: { world in
            let gate = GatedTransport(world.transport)
            box.gate = gate
            return gate
        })
        signedIn.world.time.advance(by: 4000)
        return (signedIn, try #require(box.gate))
    }

    private func failure(_ task: Task<MSALResult, any Error>) async throws -> NSError {
        try await SignedInWorld.failure { try await task.value }
    }

    private func expectKept(_ error: NSError) {
        #expect(error.code == MSALError.userCanceled.rawValue && error.failureKind == .canceled)
        #expect(error.localizedDescription.contains("They are cached"))
        #expect((error.userInfo[MSALInvalidResultKey] as? MSALResult)?.isFromCache == false)
    }

    @Test func aRefreshIsFinishedAndSaved() async throws {
        let (signedIn, gate) = try await expired()
        signedIn.world.time.holdSleeps(from: OneTimeWork.grace)
        let old = signedIn.secrets(.refreshToken)
        let task = Task { [application = signedIn.application, account = signedIn.account] in
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        try await gate.arrival()
        task.cancel()
        gate.open()
        expectKept(try await failure(task))
        #expect(gate.cancelled == 0)
        #expect(signedIn.secrets(.refreshToken) != old)
        #expect(try await signedIn.token().isFromCache)
    }

    @Test func aLateResponseIsNotAwaitedForever() async throws {
        let (signedIn, gate) = try await expired()
        let before = signedIn.world.time.now()
        let task = Task { [application = signedIn.application, account = signedIn.account] in
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        try await gate.arrival()
        task.cancel()
        let error = try await failure(task)
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.localizedDescription.contains("are lost"))
        #expect(error.userInfo[MSALInvalidResultKey] == nil)
        #expect(gate.cancelled == 1)
        #expect(signedIn.world.time.now().timeIntervalSince(before) == OneTimeWork.grace)
    }

    @Test func aCodeIsRedeemedAndTheUserSignedIn() async throws {
        var world = try World()
        world.seat(.ann)
        world.time.holdSleeps(from: OneTimeWork.grace)
        let gate = GatedTransport(world.transport)
        let application = try world.application(transport: gate)
        let task = Task {
            let parameters = MSALInteractiveTokenParameters(
                scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
            return try await application.acquireToken(with: parameters)
        }
        try await gate.arrival()
        task.cancel()
        gate.open()
        expectKept(try await failure(task))
        #expect(try application.allAccounts().map(\.username) == ["ann@contoso.example"])
    }

    /// The poll is on its way when the call is cancelled.
    private func polling(entersCode: Bool) async throws -> (MSALPublicClientApplication, NSError) {
        let world = try World()
        let gate = GatedTransport(world.transport)
        let page = Locked<URL?>(nil)
        let application = try world.application(transport: gate)
        let user = world.user(.ann)
        world.time.meanwhile { _ in
            world.time.holdSleeps(from: OneTimeWork.grace)
            if entersCode, let page = page.withLock(\.self) { _ = try await user.finish(from: page) }
        }
        let task = Task {
            let parameters = MSALDeviceCodeParameters(scopes: ["User.Read"]) { code in
                page.withLock { $0 = code.verificationURLComplete }
            }
            return try await application.acquireToken(with: parameters)
        }
        try await gate.arrival()
        task.cancel()
        gate.open()
        let error = try await failure(task)
        #expect(gate.cancelled == 0)
        return (application, error)
    }

    @Test func aPollThatReturnsTokensSignsIn() async throws {
        let (application, error) = try await polling(entersCode: true)
        expectKept(error)
        #expect(try application.allAccounts().map(\.username) == ["ann@contoso.example"])
    }

    @Test func aPollWithoutTokensEndsTheWait() async throws {
        let (application, error) = try await polling(entersCode: false)
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.userInfo[MSALInvalidResultKey] == nil)
        #expect(try application.allAccounts().isEmpty)
    }

    @Test func aCallAfterTheCancellationTakesTheResultOfTheCancelledOne() async throws {
        let (signedIn, gate) = try await expired()
        signedIn.world.time.holdSleeps(from: OneTimeWork.grace)
        let first = Task { [application = signedIn.application, account = signedIn.account] in
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        try await gate.arrival()
        first.cancel()
        let second = Task { [application = signedIn.application, account = signedIn.account] in
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
        }
        let request = SilentRequest(
            token: try TokenRequestSnapshot(
                signedIn.parameters(), settings: signedIn.application.settings, correlationID: UUID()),
            forceRefresh: false)
        let running = signedIn.application.silentRequests.running
        try await wait(until: "the second call waits") { running.waiting(for: request.identity) == 2 }
        gate.open()
        expectKept(try await failure(first))
        #expect(try await !second.value.accessToken.isEmpty)
        #expect(signedIn.tokenRequests.count == 1)
    }
}
