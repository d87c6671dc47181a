import DemoAuthority
import Foundation
import Locks
import MSAL
import TerminalUI

/// A scenario played by a scripted user on the authority's real pages. Prints each step and compares its outcome with the
/// expected one. Never prints tokens.
struct Tour: Sendable {
    var scenario: Scenario
    var stage: Stage
    var story: Story
    var now: @Sendable () -> Date
    /// The applications, which keep their state between steps, for example throttling.
    private let applications = Locked<[Int: MSALPublicClientApplication]>([:])
    /// The signed-in accounts by username, also after removal from the cache.
    private let accounts = Locked<[String: MSALAccount]>([:])

    init(_ scenario: Scenario, on stage: Stage, story: Story, now: @escaping @Sendable () -> Date) {
        self.scenario = scenario
        self.stage = stage
        self.story = story
        self.now = now
    }

    func play() async throws {
        story.paragraph("\(scenario.title): \(scenario.story)")
        for (index, step) in scenario.steps.enumerated() {
            story.chapter("\(index + 1). \(step.instruction(in: scenario.directory))")
            let ending = try await perform(step)
            story.line("  \(ending.sentence)")
            story.paragraph("Note: \(step.look)")
            try check(ending, of: step, number: index + 1)
        }
        story.chapter("Lesson")
        story.paragraph(scenario.teaches)
    }

    private func check(_ ending: StepEnding, of step: Scenario.Step, number: Int) throws {
        guard ending.outcome != step.outcome else { return }
        throw CommandFailure(
            .failed, name: "scenario",
            "Step \(number) of \(scenario.name) had an unexpected outcome.", nextStep: "Report this bug.")
    }

    private func perform(_ step: Scenario.Step) async throws -> StepEnding {
        do {
            switch step.action {
            case .signIn: return try await acquired(step) { try await signIn(step) }
            case .enterCode: return try await acquired(step) { try await enterCode(step) }
            case .acquireSilently: return try await acquired(step) { try await acquireSilently(step) }
            case .remove: return try remove(step)
            case .wait(let seconds):
                try await stage.wait(seconds)
                return StepEnding(.done, "Done waiting")
            }
        } catch let error as NSError where error.domain == MSALErrorDomain {
            return StepEnding(error)
        }
    }

    private func acquired(_ step: Scenario.Step, _ work: () async throws -> MSALResult) async throws -> StepEnding {
        let result = try await work()
        accounts.withLock { $0[step.username] = result.account }
        ResultReport(result: result, now: now()).lines(step.display).forEach(story.block)
        return StepEnding(result)
    }

    private func signIn(_ step: Scenario.Step) async throws -> MSALResult {
        try await beside(stage.walk, of: step) { open in
            let webview = MSALWebviewParameters()
            webview.openURLHandler = { open($0) }
            let parameters = MSALInteractiveTokenParameters(scopes: scopes(step), webviewParameters: webview)
            parameters.loginHint = step.username
            try fill(parameters, step)
            return try await application(of: step).acquireToken(with: parameters)
        }
    }

    private func enterCode(_ step: Scenario.Step) async throws -> MSALResult {
        try await beside(stage.enterCode, of: step) { open in
            let parameters = MSALDeviceCodeParameters(scopes: scopes(step)) { code in
                story.line("    The device shows the code and \(code.verificationURL.absoluteString)")
                open(code.verificationURLComplete ?? code.verificationURL)
            }
            try fill(parameters, step)
            return try await application(of: step).acquireToken(with: parameters)
        }
    }

    /// Runs the user beside the request, so that a stuck user fails the step.
    private func beside(
        _ play: @escaping @Sendable (URL, Stage.Actor, @escaping @Sendable (String) -> Void) async throws -> Void,
        of step: Scenario.Step,
        _ request: @escaping @Sendable (_ open: @escaping @Sendable (URL) -> Void) async throws -> MSALResult
    ) async throws -> MSALResult {
        let actor = try actor(of: step)
        let (addresses, opened) = AsyncStream<URL>.makeStream()
        return try await withThrowingTaskGroup(of: MSALResult?.self) { group in
            group.addTask { try await request { opened.yield($0) } }
            group.addTask {
                for await address in addresses.prefix(1) { try await play(address, actor) { story.line("    \($0)") } }
                return nil
            }
            defer { group.cancelAll() }
            while let result = try await group.next() {
                if let result { return result }
            }
            throw CancellationError()
        }
    }

    private func actor(of step: Scenario.Step) throws -> Stage.Actor {
        guard let person = scenario.directory.person(named: step.username) else {
            throw CommandFailure(
                .failed, name: "scenario", "No user \(step.username) in this scenario.",
                nextStep: "Report this bug.")
        }
        return Stage.Actor(person: person, consent: step.consent)
    }

    private func acquireSilently(_ step: Scenario.Step) async throws -> MSALResult {
        let application = try application(of: step)
        let account = try accounts.withLock { $0[step.username] } ?? application.account(forUsername: step.username)
        let parameters = MSALSilentTokenParameters(scopes: scopes(step), account: account)
        parameters.forceRefresh = step.request.isForced
        try fill(parameters, step)
        return try await application.acquireTokenSilent(with: parameters)
    }

    private func remove(_ step: Scenario.Step) throws -> StepEnding {
        let application = try application(of: step)
        let account = try application.account(forUsername: step.username)
        try application.remove(account)
        story.block(try RemovalReport(of: account, in: application).text)
        return StepEnding(.done, "Account removed")
    }

    private func application(of step: Scenario.Step) throws -> MSALPublicClientApplication {
        let index = step.request.application
        if let made = applications.withLock({ $0[index] }) { return made }
        let made = try stage.application(index)
        applications.withLock { $0[index] = made }
        return made
    }

    private func scopes(_ step: Scenario.Step) -> [String] { step.request.scopes ?? scenario.client.scopes }

    private func fill(_ parameters: MSALTokenParameters, _ step: Scenario.Step) throws {
        parameters.authority = try step.request.segment.map(stage.authority)
        parameters.claimsRequest = try step.request.claims.map { try MSALClaimsRequest(jsonString: $0) }
        parameters.flowEventHandler = { event in
            if event.phase != .started { story.line("  \(Printable.sanitize(event.detail))") }
        }
    }
}
