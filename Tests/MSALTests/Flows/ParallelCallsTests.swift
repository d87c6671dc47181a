import Foundation
import KeyturnSystem
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// Identical silent calls in parallel make one request, even if some are cancelled.
@Suite("Parallel silent calls", .oneSessionAtATime) struct ParallelCallsTests {
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

    private final class Box { var gate: GatedTransport? }

    private func waiters(_ signedIn: SignedInWorld, force: Bool = false) throws -> Int {
        let snapshot = try TokenRequestSnapshot(
            signedIn.parameters(), settings: signedIn.application.settings, correlationID: UUID())
        let request = SilentRequest(token: snapshot, forceRefresh: force)
        return signedIn.application.silentRequests.running.waiting(for: request.identity)
    }

    @Test(arguments: [false, true])
    func makeOneRequest(force: Bool) async throws {
        let (signedIn, gate) = try await expired()
        let results = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask { [application = signedIn.application, account = signedIn.account] in
                    let parameters = MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
                    parameters.forceRefresh = force
                    return try await application.acquireTokenSilent(with: parameters).accessToken
                }
            }
            try await wait(until: "50 calls wait") { try waiters(signedIn, force: force) == 50 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.count == 50 && Set(results).count == 1)
        #expect(signedIn.tokenRequests.count == 1)
    }

    @Test func shareTheError() async throws {
        let (signedIn, gate) = try await expired()
        signedIn.answer { _ in .rejection("invalid_grant") }
        let tasks = (0..<5).map { _ in
            Task { [application = signedIn.application, account = signedIn.account] in
                try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
            }
        }
        try await wait(until: "5 calls wait") { try waiters(signedIn) == 5 }
        gate.open()
        var correlationIDs: Set<String> = []
        for task in tasks {
            let error = try await SignedInWorld.failure { try await task.value }
            #expect(error.code == MSALError.interactionRequired.rawValue)
            correlationIDs.insert(try #require(error.userInfo[MSALCorrelationIDKey] as? String))
        }
        #expect(correlationIDs.count == 5)
        #expect(signedIn.tokenRequests.count == 1)
    }

    @Test func cancellingOneLeavesTheOthersRunning() async throws {
        let (signedIn, gate) = try await expired()
        let tasks = (0..<3).map { _ in
            Task { [application = signedIn.application, account = signedIn.account] in
                try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
            }
        }
        try await wait(until: "3 calls wait") { try waiters(signedIn) == 3 }
        tasks[0].cancel()
        let error = try await SignedInWorld.failure { try await tasks[0].value }
        #expect(error.code == MSALError.userCanceled.rawValue)
        gate.open()
        let first = try await tasks[1].value.accessToken
        let second = try await tasks[2].value.accessToken
        #expect(first == second)
        #expect(gate.cancelled == 0)
    }

    /// The authority may have replaced the refresh token already, so its response must be saved.
    @Test func whenAllAreCancelledTheResponseIsStillSaved() async throws {
        let (signedIn, gate) = try await expired()
        let tasks = (0..<3).map { _ in
            Task { [application = signedIn.application, account = signedIn.account] in
                try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: account))
            }
        }
        try await gate.arrival()
        try await wait(until: "3 calls wait") { try waiters(signedIn) == 3 }
        signedIn.world.time.holdSleeps(from: OneTimeWork.grace)
        for task in tasks { task.cancel() }
        let before = signedIn.secrets(.refreshToken)
        // The last one waits for the response.
        try await wait(until: "one call waits") { try waiters(signedIn) <= 1 }
        gate.open()
        for task in tasks { _ = try await SignedInWorld.failure { try await task.value } }
        #expect(signedIn.secrets(.refreshToken) != before)
        #expect(gate.cancelled == 0)
        #expect(try await signedIn.token().isFromCache)
        #expect(signedIn.tokenRequests.count == 1)
    }

    @Test func aLateCallUsesTheSavedToken() async throws {
        let (signedIn, gate) = try await expired()
        gate.open()
        let first = try await signedIn.token()
        let second = try await signedIn.token()
        #expect(!first.isFromCache && second.isFromCache)
        #expect(signedIn.tokenRequests.count == 1)
    }
}
