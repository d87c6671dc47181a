import DemoAuthority
import Diagnosis
import Foundation
import KeyturnSystem
import MSAL
import TerminalUI
import TestSupport
import Testing

@testable import Console
@testable import Subcommands

/// Every scenario is a test of the client: it runs in memory, and each step must end as the scenario says.
@Suite("Scenarios", .oneSessionAtATime)
struct ScenarioTests {
    @Test("Each step ends as the scenario says", arguments: Scenario.all.filter { !$0.client.usesUntrustedTLS })
    func played(scenario: Scenario) async throws {
        let output = MemorySink()
        try await Tour(scenario, to: output).play(World(scenario.settings).player(scenario))
        for step in scenario.steps { #expect(output.text.contains(step.instruction)) }
        #expect(!output.text.contains("eyJ"))
        #expect(!output.text.contains("code="))
    }

    @Test(
        "A step shows the same when it's repeated, and however long the presenter talks",
        arguments: Scenario.all.filter { !$0.client.usesUntrustedTLS })
    func repeated(scenario: Scenario) async throws {
        var presenter = try Presenter(scenario)
        for index in scenario.steps.indices {
            let first = try await presenter.press("walkOn")
            #expect(first.done == index + 1, "\(first.lines)")
            let again = try await presenter.press("repeat")
            #expect(again == first)
        }
        // An earlier step is repeated from the state before it.
        guard scenario.steps.count > 1 else { return }
        let earlier = try await presenter.press("walkBack")
        let again = try await presenter.press("repeat")
        #expect(again.done == scenario.steps.count - 1)
        #expect(again.lines == earlier.lines)
    }

    @Test("Each fault is a scenario that ends as the specification demands", arguments: Fault.allCases)
    func fault(fault: Fault) async throws {
        let scenario = Scenario(fault)
        let output = MemorySink()
        try await Tour(scenario, to: output).play(World(scenario.settings).player(scenario))
        #expect(output.text.contains("Application to API: API request: GET") == (fault.resource != nil))
    }

    @Test("A fault of an API shows the way from its URL to the token")
    func resourceFault() async throws {
        let scenario = Scenario(try Fault.chosen("resource-parent"))
        let output = MemorySink()
        try await Tour(scenario, to: output).play(World(scenario.settings).player(scenario))
        let steps = [
            "API request", "Resource metadata", "Authorization server metadata", "Client registration", "Token",
        ]
        var rest = Substring(output.text)
        for step in steps {
            let place = try #require(rest.range(of: step), "\(step)")
            rest = rest[place.upperBound...]
        }
        #expect(!output.text.contains("eyJ"))
    }

    @Test(
        "Each fault has a title and a sentence, and one that the project didn't invent names its specification",
        arguments: Fault.allCases)
    func behaviour(fault: Fault) {
        #expect(fault.title != fault.name && fault.behaviour.hasSuffix("."))
        let look = Scenario(fault).steps.last?.look ?? ""
        #expect(fault.source == nil || look.contains("§"), "\(look)")
    }

    @Test("A recording shows the pages, never the password")
    func recording() async throws {
        let scenario = try Scenario.chosen("consent-declined")
        var recording = Recording(title: scenario.title)
        let player = try World(scenario.settings).player(scenario)
        let model = await player.play(onFrame: { recording.add($0, seconds: $1) })
        try Tour.check(model, of: scenario)
        for format in Recording.Format.allCases {
            // In a picture, each word has its own place.
            let text = recording.text(format).replacing(#/<\/text><text[^>]*>/#, with: " ")
            #expect(text.contains("Permissions requested"))
            #expect(!text.contains("wang-likes-jazz"))
        }
    }

    @Test(
        "No label is cut in a window of 80 columns or more",
        arguments: Scenario.all.filter { !$0.client.usesUntrustedTLS })
    func labels(scenario: Scenario) async throws {
        let model = try await World(scenario.settings).player(scenario).play()
        for index in try #require(model.walk).records.indices {
            guard let diagram = model.context.diagram(ofStep: index) else { continue }
            for width in [78, 81, 110] {
                let lines = SequenceText(diagram, width: width, glyphs: .unicode).lines
                #expect(!lines.contains { $0.spans.contains { $0.text.contains("…") } }, "\(width) \(lines)")
            }
            // With its heading, and the list of steps, it fits beside the page.
            #expect(diagram.arrows.count + scenario.steps.count <= 40 - 4 - 1 - 1 - 1 - 6)
        }
    }

    @Test("A device code is on the device's screen from its arrow on, with each poll", arguments: [80, 120])
    func device(width: Int) async throws {
        let scenario = try Scenario.chosen("device-code")
        var frames: [String] = []
        let player = try World(scenario.settings).player(scenario, Size(width: width, height: width / 3))
        let model = await player.play(steps: 1, onFrame: { surface, _ in frames.append(surface.text) })
        try Tour.check(model, of: scenario, steps: 1)
        let device = try #require(model.walk?.records.first?.device)
        #expect(device.picture != nil)
        let labels = try #require(model.context.diagram(ofStep: 0)).arrows.map(\.countedLabel)
        for label in ["200 code", "400 authorization_pending", "400 slow_down", "200 tokens"] {
            #expect(labels.count { $0 == label } == 1, "\(labels)")
        }
        // From the arrow that brings the code to the one that makes it useless.
        let first = try #require(frames.firstIndex { $0.contains("← 200 code") || $0.contains("←╌ 200 code") })
        let last = try #require(frames.firstIndex { $0.contains("200 tokens") })
        for frame in frames[(first + 1)..<last] { #expect(frame.contains(device.code.userCode), "\(frame)") }
        let polling = try #require(frames.last { $0.contains("slow_down") && !$0.contains("200 tokens") })
        #expect(
            width < 120 || polling.contains("It polls every 6 seconds.") && polling.contains("█▄▄▄▄▄█"), "\(polling)")
        #expect(width >= 120 || polling.contains("poll 2: 400 slow_down"), "\(polling)")
    }

    @Test("The diagram shows a forged response")
    func forgedResponse() async throws {
        let forged = try Scenario.chosen("forged-response")
        let ignored = try await World(forged.settings).player(forged).play().stepLines.step
        #expect(ignored.contains { $0.contains("Browser to Application: Ignored a response with a code") })
    }

    @Test("Each key of a rotation is unknown once, and a refresh with known metadata is one request")
    func freshKeys() async throws {
        func requests(_ name: String) async throws -> [Int] {
            let scenario = try Scenario.chosen(name)
            let model = try await World(scenario.settings).player(scenario).play()
            let records = try #require(model.walk).records
            return records.indices.map { model.context.diagram(ofStep: $0)?.arrows ?? [] }.map { arrows in
                arrows.count { $0.from == .application && $0.to == .authority }
            }
        }
        let rotation = try await requests("key-rotation")
        #expect(rotation.suffix(2) == [3, 3])
        let slow = try await requests("slow-network")
        #expect(slow.suffix(2) == [0, 1])
    }

    @Test("The handout contains each step, its diagram and the lesson")
    func handout() async throws {
        let scenario = try Scenario.chosen("step-up")
        let model = try await World(scenario.settings).player(scenario).play()
        let handout = try #require(Handout(model))
        #expect(handout.name == "multi-factor-step-up")
        let text = handout.text(.html)
        #expect(text.contains("<h2 id=\"ending\">Lesson</h2>"))
        #expect(text.ranges(of: "<svg").count == scenario.steps.count)
        #expect(text.contains("AADSTS50076") && text.contains("What the user sees"))
        for format in SequenceDiagram.Format.allCases { #expect(!handout.text(format).contains("ann-likes-tea")) }
    }

    @Test("Each has a story, and names its users", arguments: Scenario.all)
    func told(scenario: Scenario) {
        #expect(!scenario.story.isEmpty && !scenario.teaches.isEmpty)
        #expect(Set(scenario.users.map(\.username)) == Set(scenario.steps.map(\.username)))
        #expect(scenario.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
        #expect(scenario.steps.allSatisfy { !$0.look.isEmpty })
    }

    @Test("A scenario with another result fails, and names the step")
    func otherwise() async throws {
        var scenario = Scenario.plainSignIn
        scenario.steps[1].expected = .token(isFromCache: false)
        let failure = await #expect(throws: Failure.self) {
            try await Tour(scenario, to: MemorySink()).play(World(scenario.settings).player(scenario))
        }
        #expect(failure?.reason == "Step 2 of plain-sign-in had an unexpected outcome.")
    }

    @Test("A scenario opened again, or another one, has the URLs of the first")
    func port() async throws {
        let folder = try TemporaryFolder(in: [:])
        defer { folder.remove() }
        try await DemoSession.use(in: .test(["TMPDIR": folder.path])) { session, _ in
            let first = try await session.open(.plainSignIn).server
            let again = try await session.open(.plainSignIn).server
            let other = try await session.open(.chosen("key-rotation"), isDeferred: true).server
            #expect(first.origin == again.origin && again.origin == other.origin)
            try await other.ready()
        }
    }

    @Test("The file has every scenario, and no member that isn't read")
    func file() throws {
        let rows = try #require(EmbeddedResource.scenarios.array)
        #expect(rows.count > 30 && Scenario.all.count == rows.count)
        #expect(Set(Scenario.changes.keys).isSubset(of: Scenario.all.map(\.name)))
        let members: Set = [
            "do", "user", "look", "by", "path", "seconds", "diagram", "application", "resource", "segment", "scopes",
            "isChallenged", "isForced", "isForged", "isUrgent", "unticks", "declines", "revokes", "hesitates", "gives",
            "show",
        ]
        for step in rows.flatMap({ $0["steps"]?.array ?? [] }) {
            let names = step.object?.keys.sorted() ?? [""]
            #expect(members.isSuperset(of: names))
        }
    }

    @Test("Names are unique")
    func names() { #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count) }

    @Test(
        "An unknown name gets the nearest suggestion",
        arguments: [
            ("consent-declind", "consent-declined"), ("password", "password-changed"), ("mfa", "step-up or api-mfa"),
            ("zzz", nil),
        ])
    func nearMiss(word: String, near: String?) {
        #expect(throws: UsageError.unknownScenario(word, near: near)) { try Scenario.chosen(word) }
    }
}

/// Someone who shows a scenario, talks for a minute after each step, and lets the scripted users sign in.
private struct Presenter {
    /// What the screen shows of a step.
    struct Shown: Equatable {
        var done: Int
        /// In alphabetical order.
        var lines: [String]
    }

    private var model: Model
    private let runner: EffectRunner
    private let mailbox = Mailbox()
    private var messages: AsyncStream<Message>.AsyncIterator
    private let world: Locked<World>

    init(_ scenario: Scenario) throws {
        let world = Locked(try World(scenario.settings))
        var services = ProgramServices()
        services.openScenario = { _, steps in
            let new = try World(scenario.settings)
            world.withLock { old in
                new.time.advance(by: old.time.now().timeIntervalSince(new.time.now()))
                old = new
            }
            let opened = try new.opened(scenario)
            try await scenario.replay(steps, in: opened, now: { new.time.now() })
            return opened
        }
        var opened = try world.withLock(\.self).opened(scenario)
        opened.profile.walk?.isScripted = true
        model = Model(.scenario(opened), options: ProgramOptions(), size: Size(width: 80, height: 24))
        runner = EffectRunner(nil, scenario: opened, now: { world.withLock(\.self).time.now() }, services: services)
        messages = mailbox.messages.makeAsyncIterator()
        self.world = world
        mailbox.post(.started)
    }

    /// Presses the key of a command when nothing runs, and shows all of the step that results.
    mutating func press(_ command: CommandName) async throws -> Shown {
        try await settle()
        world.withLock(\.self).time.advance(by: 60)
        take(.command(command))
        try await settle()
        if model.context.isPlaying { _ = update(&model, .command("walkOn")) }
        // Times and user codes differ each time. Without time, messages that cross each other have no order.
        let lines = model.stepLines.step.filter { $0.firstMatch(of: /Expire|\d min\b|auth_time/) == nil }
            .map { $0.replacing(/^ +\d+\.\s/, with: "").replacing(/[A-Z]{4}-[A-Z]{4}/, with: "CODE") }
        return Shown(done: model.walk?.done ?? 0, lines: lines.sorted())
    }

    private mutating func settle() async throws {
        while !model.hasSettled { take(try #require(await messages.next())) }
    }

    private mutating func take(_ message: Message) {
        for effect in update(&model, message) { runner.perform(effect, mailbox: mailbox) }
    }
}

extension Scenario: CustomTestStringConvertible {
    public var testDescription: String { name }
}

extension World {
    func player(
        _ scenario: Scenario, _ size: Size = Size(width: 80, height: 24)
    ) throws -> WalkPlayer {
        WalkPlayer(try opened(scenario), size: size, now: { [time] in time.now() })
    }

    /// A scenario in memory: its users complete the authority's pages, and time passes while they wait.
    func opened(_ scenario: Scenario) throws -> OpenedScenario {
        // No time passes while the application waits for the browser.
        time.holdSleeps(from: 10)
        if let username = scenario.client.adalUsername {
            let now = time.now()
            adalFiles.place(
                try transport.atAuthority { authority in
                    try authority.adalCache(of: username, scopes: scenario.client.scopes, at: now)
                })
        }
        // A waiting device polls after the user has decided: the test's time would run out otherwise. Before a user who
        // hesitates, it polls twice.
        let (decisions, decided) = AsyncStream<Void>.makeStream()
        let (polls, polled) = AsyncStream<Void>.makeStream()
        let pauses = Locked(scenario.steps.contains { $0.hesitation > 0 } ? 2 : 0)
        if scenario.steps.contains(where: { $0.action == .signIn(.device) }) {
            time.meanwhile { _ in
                let isEarly = pauses.withLock { pauses in
                    pauses -= 1
                    return pauses >= 0
                }
                if isEarly { return }
                polled.yield()
                for await _ in decisions.prefix(1) {}
            }
        }
        let browser = ScriptedBrowser(
            send: { [transport] in try await transport.send($0) },
            land: { [receiver] in receiver.deliver($0) },
            now: { [time] in time.now() })
        var profile = ProgramProfile(
            name: "demo", authority: transport.origin.absoluteString, clientID: "demo", scopes: scenario.client.scopes,
            isDemo: true)
        profile.walk = scenario.walk
        let opened = scenario.opened(
            profile,
            application: { index in
                try application(
                    clientID: scenario.client.clientID(of: index) ?? DemoAuthorityServer.clientID,
                    redirectURI: scenario.client.redirectURIs[index],
                    change: {
                        $0.authority = try authority(scenario.client.segment, scenario.client)
                        $0.clientApplicationCapabilities = scenario.client.capabilities
                        if scenario.client.isManaged { $0.managedServers = try managedConfiguration().managedServers }
                    })
            },
            authority: { try authority($0, scenario.client) }, browser: browser, wait: { time.advance(by: $0) },
            call: RecordedCall(transport: transport, time: time).perform)
        let hesitates = scenario.steps.contains { $0.hesitation > 0 }
        let base = opened
        var act = opened
        act.act = { page, step, isCode, onPage in
            if isCode, hesitates { for await _ in polls.prefix(1) {} }
            try await base.act(page, step, isCode, onPage)
            if isCode { decided.yield() }
        }
        return act
    }

    private func authority(_ segment: String, _ client: Scenario.Client) throws -> MSALAuthority {
        try Profile.libraryAuthority(transport.origin.appending(path: segment), client.type)
    }
}
