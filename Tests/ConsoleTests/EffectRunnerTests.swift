import AuthEngine
import Console
import Foundation
import TerminalUI
import TestSupport
import Testing

/// The program over the real library, with the built-in authority in memory and a person who walks its pages.
@Suite("Over the real library", .oneSessionAtATime)
struct EffectRunnerTests {
    private func worldWithAnn() throws -> World {
        var world = try World()
        world.seat(.ann)
        return world
    }

    private func program(
        _ world: World, on screen: MemoryScreen, opening: (@Sendable (URL) async throws -> Void)? = nil
    )
        async throws
    {
        let runner = EffectRunner(
            try world.application(), now: { world.time.now() }, openURL: opening)
        await runLoop(newModel(demoProfile), on: screen, performer: runner)
    }

    @Test(.timeLimit(.minutes(1)))
    func signInThenFromTheCacheThenRemove() async throws {
        let world = try worldWithAnn()
        let screen = MemoryScreen(size: Size(width: 120, height: 40))
        async let program: Void = program(world, on: screen)

        await screen.expect("No account yet.")
        screen.send(.character("i"))
        await screen.expect("Signed in as ann@contoso.example.")
        await screen.expect("✓ met")
        #expect(screen.lastSurface?.text.contains("✗") == false)
        screen.send(.escape)
        await screen.expect("1 of 1")
        screen.send(.enter)
        await screen.expect("This token was in the cache")
        screen.send(.tab)
        await screen.expect("[2 Access token]")
        screen.send(.escape, .character("D"), .character("y"))
        await screen.expect("Removed ann@contoso.example")
        await screen.expect("No account yet.")
        screen.send(.character("q"))
        try await program
    }

    @Test(.timeLimit(.minutes(1)))
    func escapeEndsTheWaitForTheBrowser() async throws {
        let world = try World()
        let screen = MemoryScreen(size: standardSize)
        // The page is opened, and nobody does anything there.
        async let program: Void = program(world, on: screen, opening: { _ in })

        await screen.expect("No account yet.")
        screen.send(.character("i"))
        await screen.expect("Waiting for the browser to come back")
        await screen.expect("code_challenge")
        screen.send(.escape)
        await screen.expect("Cancelled.")
        // A session that had been left open would refuse the next one.
        screen.send(.character("i"))
        await screen.expect("Waiting for the browser to come back")
        screen.send(.control("c"), .control("c"))
        try await program
    }

    @Test(.timeLimit(.minutes(1)))
    func whenTheRefreshTokenIsRefusedThePersonSignsInAgain() async throws {
        let world = try worldWithAnn()
        let screen = MemoryScreen(size: standardSize)
        async let program: Void = program(world, on: screen)
        await screen.expect("No account yet.")
        screen.send(.character("i"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.escape)
        await screen.expect("1 of 1")

        var token = try #require(world.store.all.first { $0.key.kind == .refreshToken })
        token.members["secret"] = "forged"
        try world.store.update(matching: CredentialQuery()) { _ in [.save(token)] }
        world.time.advance(by: 86_400)
        screen.send(.enter)
        await screen.expect("Sign in again?")
        screen.send(.character("y"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.control("c"))
        try await program
    }

    @Test(.timeLimit(.minutes(1)))
    func withoutANetworkTheErrorSaysSoAndCanBeTriedAgain() async throws {
        let world = try worldWithAnn()
        let screen = MemoryScreen(size: standardSize)
        async let program: Void = program(world, on: screen)
        await screen.expect("No account yet.")
        world.transport.trouble(.offline)
        screen.send(.character("i"))
        await screen.expect("✗ The authority could not be reached.")
        await screen.expect("r to try again")
        world.transport.trouble(nil)
        screen.send(.character("r"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.control("c"))
        try await program
    }

    @Test func whatFailsComesBackAsAReport() async throws {
        let runner = EffectRunner(try World().application(), now: { testTime })
        let mailbox = Mailbox()
        runner.perform(.remove(EffectID(7), account: "nobody"), mailbox: mailbox)
        await runner.finish()
        var messages = mailbox.messages.makeAsyncIterator()
        guard case .removed(EffectID(7), .failure(let report), testTime) = await messages.next() else {
            throw Unexpected()
        }
        #expect(report.domain == "MSALErrorDomain")
        #expect(!report.reason.isEmpty)
    }
}
