import Foundation
import KeyturnSystem
import MSAL
import TestSupport
import Testing

@testable import Subcommands

/// The tokens of a program, while its authority, its servers and its user come and go.
@Suite("A token desk", .oneSessionAtATime)
struct TokenDeskTests {
    /// A desk with Ann's account, and a demand that it meets.
    private struct SignedIn {
        let world: World
        let application: MSALPublicClientApplication
        let account: MSALAccount
        let demand: Demand
        let desk: TokenDesk

        func token() async throws -> TokenDesk.Token { try await desk.token(for: demand) }

        func another(than token: TokenDesk.Token) async throws -> TokenDesk.Token {
            try await desk.token(
                for: demand, after: Rejection(means: .refreshed, sent: token.result.authorizationHeader),
                mayInteract: false)
        }
    }

    private func signedIn(
        _ demand: Demand? = nil, longestUse: TimeInterval = .infinity, patience: Duration? = nil,
        _ change: (inout Profile, inout Surroundings) -> Void = { _, _ in }
    ) async throws -> SignedIn {
        let (world, application, account) = try await signedInAtEntra()
        var profile = Profile(name: "a", clientID: "1", authority: world.transport.origin)
        var surroundings = Surroundings.test()
        surroundings.now = { world.time.now() }
        change(&profile, &surroundings)
        let demand = try demand ?? Demand(settings: try Settings(ParsedOptions()), scopes: ["User.Read"])
        let desk = try TokenDesk(
            demand, profile, application: application, longestUse: longestUse, patience: patience, in: surroundings)
        return SignedIn(world: world, application: application, account: account, demand: demand, desk: desk)
    }

    @Test("In an outage, gives the token out while it is valid, and no dead one")
    func outage() async throws {
        let signedIn = try await signedIn()
        let world = signedIn.world
        let first = try await signedIn.token().result
        let expiry = try #require(first.expiresOn)
        world.transport.trouble(.offline)
        world.time.advance(by: expiry.timeIntervalSince(world.time.now()) - 60)
        #expect(try await signedIn.token().result.accessToken == first.accessToken)
        world.time.advance(by: 60)
        await #expect(throws: (any Error).self) { try await signedIn.token() }
        world.transport.trouble(nil)
        world.time.advance(by: 60)
        #expect(try await signedIn.token().result.accessToken != first.accessToken)
    }

    @Test("In the place of a rejected token gives another one, or says that there is none", .timeLimit(.minutes(10)))
    func another() async throws {
        let signedIn = try await signedIn()
        let world = signedIn.world
        let first = try await signedIn.token()
        let second = try await signedIn.another(than: first)
        #expect(second.result.accessToken != first.result.accessToken)
        // A request that took longer.
        #expect(try await signedIn.another(than: first).result.accessToken == second.result.accessToken)
        #expect(world.refreshes == 1)
        await #expect(throws: TokenDesk.NoToken.self) { try await signedIn.another(than: second) }
        #expect(world.refreshes == 1)
        world.time.advance(by: 31)
        let others = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 1...20 {
                group.addTask { try await signedIn.another(than: second).result.accessToken }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(others.count == 1 && !others.contains(second.result.accessToken))
        #expect(world.refreshes == 2)
        let third = try await signedIn.token()
        world.time.advance(by: 31)
        world.transport.trouble(.offline)
        await #expect(throws: MSALAuthenticationError.self) { try await signedIn.another(than: third) }
    }

    @Test("Gets another token before the expiry, and not again soon after a failure")
    func due() async throws {
        let signedIn = try await signedIn()
        let world = signedIn.world
        let first = try await signedIn.token().result
        let expiry = try #require(first.expiresOn)
        world.time.advance(by: expiry.timeIntervalSince(world.time.now()) - 301)
        #expect(try await signedIn.token().result.accessToken == first.accessToken)
        #expect(world.refreshes == 0)
        world.time.advance(by: 2)
        #expect(try await signedIn.token().result.accessToken != first.accessToken)
        #expect(world.refreshes == 1)
    }

    @Test("A server that rejects every token gets a refresh every half minute")
    func rejectsAll() async throws {
        let signedIn = try await signedIn()
        for (seconds, refreshes) in [(0.0, 1), (1, 1), (28, 1), (2, 2), (29, 2)] {
            signedIn.world.time.advance(by: seconds)
            _ = try? await signedIn.another(than: try await signedIn.token())
            #expect(signedIn.world.refreshes == refreshes)
        }
    }

    @Test("Looks into the cache after the longest use, and finds that the user has signed out")
    func signedOut() async throws {
        let options = ParsedOptions(
            given: [ParsedOptions.Given(option: Demand.scope, argument: "User.Read")],
            operands: ["https://api.example"])
        let signedIn = try await signedIn(
            try Demand.ofAPI(options, CallCommand.specification).demand, longestUse: 10)
        let first = try await signedIn.token().result.accessToken
        try signedIn.application.remove(signedIn.account)
        signedIn.world.time.advance(by: 9)
        #expect(try await signedIn.token().result.accessToken == first)
        signedIn.world.time.advance(by: 2)
        await #expect(throws: TokenDesk.NoToken.self) { try await signedIn.token() }
    }

    @Test("After a sign-in in vain, the user isn't asked for the same again")
    func askedOnce() async throws {
        let opened = Locked(0)
        let folder = try TemporaryFolder(in: [:])
        let signedIn = try await signedIn(patience: .seconds(60)) { profile, surroundings in
            (profile.method, profile.nextMethods) = (.browser, [.paste])
            surroundings.environment["XDG_RUNTIME_DIR"] = folder.path
            surroundings.lacksInput = true
            surroundings.browser = { _ in
                opened.withLock { $0 += 1 }
                throw CancellationError()
            }
        }
        for (challenge, windows) in [("Bearer", 1), ("Bearer", 1), ("Bearer scope=more", 2), ("Bearer scope=more", 2)] {
            let rejection = Rejection(
                means: .signedIn, challenge: try MSALChallenge(headers: [challenge]), sent: "Bearer token")
            await #expect(throws: (any Error).self) {
                try await signedIn.desk.token(for: signedIn.demand, after: rejection)
            }
            #expect(opened.withLock(\.self) == windows)
        }
    }
}
