import AuthEngine
import DemoAuthority
import Foundation
import TestSupport
import Testing

@testable import Subcommands

/// Every scenario is a test of the client: it runs in memory, and each step must end as the scenario says.
@Suite("Scenarios", .oneSessionAtATime)
struct ScenarioTests {
    @Test("Each step ends as the scenario says", arguments: Scenario.all)
    func played(scenario: Scenario) async throws {
        let world = try World(scenario)
        let output = MemorySink()
        if let username = scenario.client.adalUsername {
            let now = world.time.now()
            world.adalFiles.place(
                try world.transport.atAuthority { authority in
                    try authority.adalCache(of: username, scopes: scenario.client.scopes, at: now)
                })
        }
        try await Tour(scenario, on: world.stage(scenario), story: Story(to: output), now: world.time.now).play()
        for step in scenario.steps { #expect(output.text.contains(step.instruction(in: scenario.directory))) }
        #expect(!output.text.contains("eyJ"))
        #expect(!output.text.contains("code="))
    }

    @Test("Each has a story, and names its users", arguments: Scenario.all)
    func told(scenario: Scenario) {
        #expect(!scenario.story.isEmpty && !scenario.teaches.isEmpty)
        #expect(Set(scenario.people.map(\.username)) == Set(scenario.steps.map(\.username)))
        #expect(scenario.name.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" })
        #expect(scenario.steps.allSatisfy { !$0.look.isEmpty })
    }

    @Test("A scenario with another result fails, and names the step")
    func otherwise() async throws {
        var scenario = Scenario.plainSignIn
        scenario.steps[1].outcome = .token(from: .authority)
        let world = try World(scenario)
        let failure = await #expect(throws: CommandFailure.self) {
            try await Tour(scenario, on: world.stage(scenario), story: Story(to: MemorySink()), now: world.time.now)
                .play()
        }
        #expect(failure?.description == "Step 2 of plain-sign-in had an unexpected outcome.")
    }

    @Test("Names are unique")
    func names() { #expect(Set(Scenario.all.map(\.name)).count == Scenario.all.count) }

    @Test(
        "An unknown name gets the nearest suggestion",
        arguments: [("consent-declind", "consent-declined"), ("password", "password-changed"), ("zzz", nil)])
    func nearMiss(word: String, near: String?) {
        #expect(throws: UsageError.unknownScenario(word, near: near)) { try Scenario.chosen(word) }
    }
}

extension Scenario: CustomTestStringConvertible {
    public var testDescription: String { name }
}

extension World {
    /// A scenario in memory: its users complete the authority's pages, and time passes while they wait.
    fileprivate func stage(_ scenario: Scenario) -> Stage {
        let cookies = CookieJar()
        // A waiting device polls after the user has decided: the test's time would run out otherwise.
        let (decisions, decided) = AsyncStream<Void>.makeStream()
        if scenario.steps.contains(where: { $0.action == .enterCode }) {
            time.meanwhile { _ in for await _ in decisions.prefix(1) {} }
        }
        @Sendable func person(_ actor: Stage.Actor) -> ScriptedPerson {
            ScriptedPerson(
                username: actor.person.username, password: actor.person.password, consent: actor.consent,
                cookies: cookies
            ) { [transport] in try await transport.send($0) }
        }
        return Stage(
            application: { index in
                try application(
                    redirectURI: scenario.client.redirectURIs[index],
                    change: { $0.authority = try authority(scenario.client.segment, scenario.client) })
            },
            walk: { address, actor, say in
                let landing = try await person(actor).walk(from: address) { say($0.action) }
                #expect(receiver.deliver(landing))
            },
            enterCode: { address, actor, say in
                _ = try await person(actor).finish(from: address) { say($0.action) }
                decided.yield()
            },
            wait: { time.advance(by: $0) },
            authority: { try authority($0, scenario.client) })
    }

    private func authority(_ segment: String, _ client: Scenario.Client) throws -> MSALAuthority {
        try Profile.libraryAuthority(transport.origin.appending(path: segment), client.type)
    }
}
