import Console
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI
import TestSupport
import Testing

/// The program with the real library, the built-in authority in memory and a user who completes its pages.
@Suite("Program with the real library", .oneSessionAtATime)
struct EffectRunnerTests {
    private func worldWithAnn() throws -> World {
        var world = try World()
        world.seat(.ann)
        return world
    }

    private func program(
        _ world: World, on screen: MemoryScreen, profile: ProgramProfile = demoProfile,
        opening: (@Sendable (URL) async throws -> Void)? = nil
    )
        async throws
    {
        var services = ProgramServices()
        services.openURL = opening
        let runner = EffectRunner(try world.application(), now: { world.time.now() }, services: services)
        await runLoop(newModel(profile), on: screen, performer: runner)
    }

    @Test(.timeLimit(.minutes(10)))
    func signInThenUseTheCacheThenRemove() async throws {
        let world = try worldWithAnn()
        let screen = MemoryScreen(size: Size(width: 120, height: 40))
        async let program: Void = program(world, on: screen)

        await screen.expect("No accounts yet.")
        #expect(screen.lastSurface?.text.contains("tokens in memory only") == true)
        screen.send(.character("i"))
        await screen.expect("Signed in as ann@contoso.example.")
        await screen.expect("✓ 10 passed")
        #expect(screen.lastSurface?.text.contains("✗") == false)
        screen.send(.escape)
        await screen.expect("1 of 1")
        await screen.expect(" 1 h ")
        screen.send(.enter)
        await screen.expect("Token from the cache")
        screen.send(.tab)
        await screen.expect("[2 Access token]")
        screen.send(.escape, .character("D"), .character("y"))
        await screen.expect("Removed ann@contoso.example")
        await screen.expect("No accounts yet.")
        screen.send(.character("q"))
        try await program
    }

    @Test(.timeLimit(.minutes(10)))
    func theScreenLearnsThatTheAuthorityOffersNoDeviceCodes() async throws {
        let world = try worldWithAnn()
        world.transport.tamper { _, response in
            var response = response
            let text = String(decoding: response.body, as: UTF8.self)
            response.body = Array(text.replacing("device_authorization_endpoint", with: "other").utf8)
            return response
        }
        let runner = EffectRunner(try world.application(), now: { world.time.now() })
        let mailbox = Mailbox()
        runner.perform(.work(EffectID(1), .readAccounts), mailbox: mailbox)
        let offer = await mailbox.messages.first { if case .progress(_, .deviceCodeOffer) = $0 { true } else { false } }
        #expect(offer == .progress(EffectID(1), .deviceCodeOffer(false)))
        await runner.finish()
    }

    private struct DamagedDocuments: DocumentCache {
        func urls(beginning start: String) throws(CredentialStoreFailure) -> [URL] { [] }

        func load(_ url: URL) throws(CredentialStoreFailure) -> CachedDocument? {
            throw CredentialStoreFailure(.setAside(as: "x"), reason: "It is damaged.")
        }

        func save(_ document: CachedDocument?, for url: URL) {}
    }

    @Test("The screen reports damage that only the authority's metadata shows", .timeLimit(.minutes(10)))
    func damagedMetadata() async throws {
        let world = try worldWithAnn()
        var dependencies = world.dependencies
        dependencies.documents = DamagedDocuments()
        let runner = EffectRunner(try world.application(with: dependencies), now: { world.time.now() })
        let mailbox = Mailbox()
        runner.perform(.work(EffectID(1), .readAccounts), mailbox: mailbox)
        let unread = await mailbox.messages.first { if case .progress(_, .unread) = $0 { true } else { false } }
        guard case .progress(_, .unread(let report)) = unread else { throw Unexpected() }
        #expect(report.reason.contains("It is damaged."))
        await runner.finish()
    }

    @Test(
        "A step's sign-in by paste waits for the final URL, a scripted user's for the browser", .timeLimit(.minutes(10))
    )
    func stepByPaste() async throws {
        let step = GuidedWalk.Step(
            .signIn(.paste), instruction: "Sign in", look: "", username: "ann@contoso.example", scopes: ["User.Read"])
        for (isScripted, wait) in [(false, "the final URL"), (true, "sign-in in the browser")] {
            let runner = EffectRunner(try World().application(), now: { testTime })
            let mailbox = Mailbox()
            runner.perform(.work(EffectID(1), .performStep(step, isScripted: isScripted)), mailbox: mailbox)
            let waiting = await mailbox.messages.first {
                if case .progress(_, .event(let event)) = $0 { event.step == .waitForResponse } else { false }
            }
            guard case .progress(_, .event(let event)) = waiting else { throw Unexpected() }
            #expect(event.detail == "Waiting for \(wait)")
            runner.perform(.cancel(EffectID(1)), mailbox: mailbox)
            await runner.finish()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func aSupportReportIsWrittenEvenIfTheProgramEnds() async throws {
        let world = try World()
        let saved = Locked<[Work]>([])
        var services = ProgramServices()
        services.perform = { work, _, _ in
            for _ in 0..<100 { await Task.yield() }
            saved.withLock { $0.append(work) }
            return nil
        }
        // Patience that no slow machine exhausts: the report must not win a race.
        let runner = EffectRunner(try world.application(), services: services, patience: .seconds(600))
        let export = Work.export(.supportReport, replaces: true, demoProfile)
        runner.perform(.work(EffectID(1), export), mailbox: Mailbox())
        await runner.finish()
        #expect(saved.withLock(\.self) == [export])
    }

    @Test(
        "Quitting leaves work that only reads, or waits for a program, and doesn't end, after it has cancelled it",
        .timeLimit(.minutes(10)),
        arguments: [Work.explain("text", nil, isOffline: true), .editConfiguration, .checkURLHandler(nil)])
    func endlessWork(work: Work) async throws {
        let isCancelled = Locked(false)
        let mayEnd = Locked(false)
        var services = ProgramServices()
        services.perform = { _, _, _ in
            try? await wait(until: "the test lets the work end") {
                if Task.isCancelled { isCancelled.withLock { $0 = true } }
                return mayEnd.withLock(\.self)
            }
            return nil
        }
        let runner = EffectRunner(try World().application(), services: services)
        runner.perform(.work(EffectID(1), work), mailbox: Mailbox())
        await runner.finish()
        #expect(isCancelled.withLock(\.self) && !mayEnd.withLock(\.self))
        mayEnd.withLock { $0 = true }
    }

    @Test("The access token is copied from the cache, or else saved, and is in no message", .timeLimit(.minutes(10)))
    func accessToken() async throws {
        let world = try worldWithAnn()
        let copied = Locked<[String]>([])
        func answer(in mailbox: Mailbox) async -> WorkResult? {
            for await case .result(_, let result, at: _) in mailbox.messages { return result }
            return nil
        }
        for outcome in [CopyOutcome.sent, .rejected("Too long.")] {
            var services = ProgramServices()
            services.copy = { text in
                copied.withLock { $0.append(text) }
                return outcome
            }
            services.save = { text, name in
                copied.withLock { $0.append(text) }
                return "/home/alice/\(name)"
            }
            let runner = EffectRunner(try world.application(), now: { world.time.now() }, services: services)
            let mailbox = Mailbox()
            runner.perform(
                .work(EffectID(1), .signIn(SignInRequest(scopes: ["User.Read"], method: .browser))), mailbox: mailbox)
            var shown: Acquisition?
            for await message in mailbox.messages {
                guard case .result(_, .acquired(let outcome), at: _) = message else { continue }
                guard case .success(let acquisition) = outcome else { throw Unexpected() }
                shown = acquisition
                break
            }
            let acquisition = try #require(shown)
            runner.perform(.work(EffectID(2), .copyToken(acquisition)), mailbox: mailbox)
            let named = CopiedText("the access token", fileName: "token.txt", "")
            #expect(await answer(in: mailbox) == .copied(.token(acquisition), outcome))
            runner.perform(.work(EffectID(2), .copyToken(acquisition, saves: true)), mailbox: mailbox)
            #expect(await answer(in: mailbox) == .saved(named, .success("/home/alice/token.txt")))
            let token = try #require(copied.withLock { $0.popLast() })
            #expect(ClaimsContent(token) == acquisition.accessToken && token.hasPrefix("eyJ"))

            var other = acquisition
            other.accessToken = .opaque(length: 1)
            runner.perform(.work(EffectID(3), .copyToken(other)), mailbox: mailbox)
            guard case .saved(_, .failure(let report)) = await answer(in: mailbox) else { throw Unexpected() }
            #expect(report.headline == "The cached token changed.")
            await runner.finish()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func choicesAreSavedInOrderEvenIfTheProgramEnds() async throws {
        let kept = Locked<[AccountOrder]>([])
        var services = ProgramServices()
        services.saveChoices = { choices, _ in kept.withLock { $0.append(choices.order) } }
        let runner = EffectRunner(try World().application(), services: services)
        let orders = (0..<40).map { AccountOrder.allCases[$0 % AccountOrder.allCases.count] }
        for order in orders {
            runner.perform(.saveChoices(SavedChoices(order: order), profile: "contoso"), mailbox: Mailbox())
        }
        await runner.finish()
        #expect(kept.withLock(\.self) == orders)
    }

    @Test(.timeLimit(.minutes(10)))
    func choicesThatCannotBeSavedAreReported() async throws {
        var services = ProgramServices()
        services.saveChoices = { _, _ in throw CocoaError(.fileWriteOutOfSpace) }
        let runner = EffectRunner(try World().application(), now: { testTime }, services: services)
        let mailbox = Mailbox()
        runner.perform(.saveChoices(SavedChoices(), profile: "contoso"), mailbox: mailbox)
        await runner.finish()
        var messages = mailbox.messages.makeAsyncIterator()
        let message = try #require(await messages.next())
        guard case .choicesNotSaved = message else { throw Unexpected() }
        #expect(after(listing([alice]), message).notice?.text.hasPrefix("Can't save your settings") == true)
    }

    @Test(.timeLimit(.minutes(10)))
    func aForcedRefreshRequestsANewToken() async throws {
        let world = try worldWithAnn()
        let screen = MemoryScreen(size: Size(width: 120, height: 40))
        async let program: Void = program(world, on: screen)
        await screen.expect("No accounts yet.")
        screen.send(.character("i"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.character("R"))
        await screen.expect("Token refreshed.")
        screen.send(.character("q"))
        await screen.expect("1 of 1")
        screen.send(.character("q"))
        try await program
    }

    @Test(.timeLimit(.minutes(10)))
    func escapeEndsTheWaitForTheBrowser() async throws {
        let world = try World()
        let screen = MemoryScreen(size: standardSize)
        // The page is open, and the user does nothing.
        async let program: Void = program(world, on: screen, opening: { _ in })

        await screen.expect("No accounts yet.")
        screen.send(.character("i"))
        await screen.expect("Wait for the browser")
        await screen.expect("code_challenge")
        screen.send(.escape)
        await screen.expect("Cancelled.")
        // A session that was left open would reject the next one.
        screen.send(.character("i"))
        await screen.expect("Wait for the browser")
        screen.send(.control("c"), .control("c"))
        try await program
    }

    @Test(.timeLimit(.minutes(10)))
    func withoutBrokerAndBrowserADeviceCodeIsNext() async throws {
        let world = try World()
        let screen = MemoryScreen(size: standardSize)
        struct NoBrowser: Error {}
        async let program: Void = program(
            world, on: screen, profile: chainProfile, opening: { _ in throw NoBrowser() })

        await screen.expect("No accounts yet.")
        screen.send(.character("i"))
        await screen.expect("Code expires in")
        await screen.expect("Trying", times: 2)
        screen.send(.control("c"), .control("c"))
        try await program
    }

    @Test(.timeLimit(.minutes(10)))
    func aRejectedRefreshTokenLeadsToASignIn() async throws {
        let world = try worldWithAnn()
        let screen = MemoryScreen(size: standardSize)
        async let program: Void = program(world, on: screen)
        await screen.expect("No accounts yet.")
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

    @Test(.timeLimit(.minutes(10)))
    func withoutANetworkTheErrorSaysSoAndOffersARetry() async throws {
        let world = try worldWithAnn()
        // Before the program starts, which asks the authority for its features.
        world.transport.trouble(.offline)
        let screen = MemoryScreen(size: standardSize)
        async let program: Void = program(world, on: screen)
        await screen.expect("No accounts yet.")
        screen.send(.character("i"))
        await screen.expect("✗ Can't reach")
        await screen.expect("Try again")
        world.transport.trouble(nil)
        screen.send(.character("r"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.control("c"))
        try await program
    }

    /// The user knows only what the screen shows.
    @Test(.timeLimit(.minutes(10)))
    func signInWithTheCodeOnTheScreen() async throws {
        let world = try World()
        let screen = MemoryScreen(size: standardSize)
        let user = world.user(.ann)
        let waits = Locked(0)
        world.time.meanwhile { _ in
            guard
                waits.withLock({ waits in
                    waits += 1; return waits == 2
                })
            else { return }
            await screen.expect("Enter this code:")
            let text = screen.lastSurface?.text ?? ""
            let code = try #require(text.firstMatch(of: #/[B-Z]{4}-[B-Z]{4}/#)?.output)
            #expect(text.contains("http://127.0.0.1:8400/device"))
            #expect(!text.contains("▀"), "another device can't open a page on this computer")
            let page = try #require(URL(string: "http://127.0.0.1:8400/device?user_code=\(code)"))
            _ = try await user.finish(from: page)
        }
        async let program: Void = program(world, on: screen)
        await screen.expect("No accounts yet.")
        screen.send(.character("m"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.control("c"))
        try await program
    }

    @Test(.timeLimit(.minutes(10)))
    func signInByPasting() async throws {
        let world = try World()
        let screen = MemoryScreen(size: Size(width: 120, height: 40))
        async let program: Void = program(world, on: screen)
        await screen.expect("No accounts yet.")
        screen.send(.character("p"))
        await screen.expect("paste it here:")
        let text = screen.lastSurface?.lines.joined() ?? ""
        let address = try #require(text.firstMatch(of: #/http:\/\/127\.0\.0\.1:8400\S+authorize\S+/#)?.output)
        screen.send(.paste(String(address)))
        await screen.expect("This is the URL of the sign-in page itself.")
        let user = world.user(.ann)
        let landing = try await user.walk(from: try #require(URL(string: String(address)))).absoluteString
        screen.send(.paste("'\(landing.prefix(60))\n\(landing.dropFirst(60))'"))
        await screen.expect("Signed in as ann@contoso.example.")
        screen.send(.control("c"))
        try await program
    }

    @Test func failuresAreReturnedAsReports() async throws {
        let runner = EffectRunner(try World().application(), now: { testTime })
        let mailbox = Mailbox()
        runner.perform(.work(EffectID(7), .remove(account: "unknown")), mailbox: mailbox)
        await runner.finish()
        var messages = mailbox.messages.makeAsyncIterator()
        guard case .result(EffectID(7), .removed(.failure(let report)), at: testTime) = await messages.next() else {
            throw Unexpected()
        }
        #expect(report.domain == "MSALErrorDomain")
        #expect(!report.reason.isEmpty)
    }
}
