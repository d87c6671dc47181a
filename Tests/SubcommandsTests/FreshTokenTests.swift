import Foundation
import MSAL
import TestSupport
import Testing

@testable import Subcommands

/// The token of a door, while its authority comes and goes.
@Suite("A token that is kept fresh", .oneSessionAtATime)
struct FreshTokenTests {
    private func signedIn() async throws -> (World, FreshToken) {
        let (world, application, _) = try await signedInAtEntra()
        let profile = Profile(name: "a", clientID: "1", authority: world.transport.origin)
        let source = TokenSource(
            application: application, profile: profile, wish: TokenWish(scopes: ["User.Read"]), accountName: nil,
            choice: nil, forceRefresh: false, settings: try Settings(ParsedOptions()), access: nil)
        var surroundings = Surroundings.test()
        surroundings.now = { world.time.now() }
        return (world, FreshToken(source, in: surroundings))
    }

    @Test("In an outage, gives the token out while it is valid, and no dead one")
    func outage() async throws {
        let (world, token) = try await signedIn()
        let first = try await token.current()
        let expiry = try #require(first.expiresOn)
        world.transport.trouble(.offline)
        world.time.advance(by: expiry.timeIntervalSince(world.time.now()) - 60)
        #expect(try await token.current().text == first.text)
        world.time.advance(by: 60)
        await #expect(throws: (any Error).self) { try await token.current() }
        world.transport.trouble(nil)
        world.time.advance(by: 60)
        #expect(try await token.current().text != first.text)
    }

    @Test("In the place of a rejected token gives another one, or says that there is none", .timeLimit(.minutes(1)))
    func another() async throws {
        let (world, token) = try await signedIn()
        let first = try await token.current()
        let second = try await token.another(than: first)
        #expect(second.text != first.text)
        // A request that took longer.
        #expect(try await token.another(than: first).text == second.text)
        #expect(world.refreshes == 1)
        await #expect(throws: FreshToken.NoOther.self) { try await token.another(than: second) }
        #expect(world.refreshes == 1)
        world.time.advance(by: 31)
        async let one = token.another(than: second)
        async let other = token.another(than: second)
        let (third, same) = try await (one, other)
        #expect(third.text != second.text && same.text == third.text)
        #expect(world.refreshes == 2)
        world.time.advance(by: 31)
        world.transport.trouble(.offline)
        await #expect(throws: MSALAuthenticationError.self) { try await token.another(than: third) }
    }

    @Test("Asks for another token before the expiry, and not again soon after a failure")
    func due() async throws {
        let (world, token) = try await signedIn()
        let first = try await token.current()
        let expiry = try #require(first.expiresOn)
        world.time.advance(by: expiry.timeIntervalSince(world.time.now()) - 301)
        #expect(try await token.current().text == first.text)
        #expect(world.refreshes == 0)
        world.time.advance(by: 2)
        #expect(try await token.current().text != first.text)
        #expect(world.refreshes == 1)
    }

    @Test("A server that rejects every token gets a refresh every half minute")
    func rejectsAll() async throws {
        let (world, token) = try await signedIn()
        for (seconds, refreshes) in [(0.0, 1), (1, 1), (28, 1), (2, 2), (29, 2)] {
            world.time.advance(by: seconds)
            _ = try? await token.another(than: try await token.current())
            #expect(world.refreshes == refreshes)
        }
    }
}
