import Foundation
import TerminalUI
import Testing

@testable import Console

@Suite("Update: scenarios")
struct ScenarioUpdateTests {
    private func press(_ key: Key, _ model: inout Model) -> [Effect] { update(&model, .input(.key(key))) }

    @Test func thePickerStartsTheSelectedScenario() {
        var model = after(listing([alice], walkProfile), keys: .character("w"), .down)
        #expect(press(.enter, &model) == [.openScenario(EffectID(2), "password-changed")])
        #expect(press(.enter, &model) == [], "the scenario is starting")
        var opened = walkProfile
        opened.name = "another"
        #expect(update(&model, .scenarioOpened(EffectID(2), .success(opened))) == [.readAccounts(EffectID(3))])
        #expect(model.profile == opened)
        #expect(model.routes.isEmpty)
        #expect(model.accounts.all.isEmpty, "the scenario has its own cache")
    }

    @Test func aScenarioThatFailsToStartLeavesThePicker() {
        var model = after(listing([alice], walkProfile), keys: .character("w"), .enter)
        #expect(update(&model, .scenarioOpened(EffectID(2), .failure(networkReport))) == [])
        #expect(model.routes == [AnyScreen(ScenariosState())])
        #expect(model.notice?.text.contains(networkReport.reason) == true)
        #expect(model.profile == walkProfile)
    }

    @Test func aScenarioThatStartsTooLateChangesNothing() {
        let left = after(listing([alice], walkProfile), keys: .character("w"), .enter, .escape)
        #expect(after(left, .scenarioOpened(EffectID(2), .success(demoProfile))) == left)
    }

    @Test func theStepsRunOneByOne() throws {
        var model = listing([alice], walkProfile)
        let steps = try #require(walkProfile.walk).steps
        #expect(press(.character("n"), &model) == [.performStep(EffectID(2), steps[0])])
        #expect(
            model.routes == [
                AnyScreen(SignInState(id: EffectID(2), request: SignInRequest(scopes: ["User.Read"])))
            ])
        #expect(model.profile?.walk?.done == 0)
        _ = update(&model, .acquired(EffectID(2), .success(acquisition), at: testTime))
        #expect(model.profile?.walk?.done == 1)
        #expect(press(.character("n"), &model) == [.performStep(EffectID(4), steps[1])])
        #expect(model.routes == [AnyScreen(SilentState(id: EffectID(4), account: alice))])
    }

    @Test func theScenarioStopsAtAStepThatFails() {
        var model = listing([alice], walkProfile)
        _ = press(.character("n"), &model)
        _ = update(&model, .acquired(EffectID(2), .failure(networkReport), at: testTime))
        #expect(model.profile?.walk?.done == 0)
        #expect(model.profile?.walk?.obstacle == networkReport.headline)
        #expect(press(.character("n"), &model).count == 1, "the step can be repeated")
        #expect(model.profile?.walk?.obstacle == nil)
        _ = update(&model, .acquired(EffectID(3), .success(acquisition), at: testTime))
        #expect(model.profile?.walk?.done == 1)
    }

    @Test("A step that expects a rejection succeeds when the authority rejects it", arguments: [true, false])
    func refusal(isRefused: Bool) {
        var profile = walkProfile
        profile.walk?.steps[0].expectedFailure = networkReport.code
        var model = listing([alice], profile)
        _ = press(.character("n"), &model)
        let outcome: Outcome<Acquisition> = isRefused ? .failure(networkReport) : .success(acquisition)
        _ = update(&model, .acquired(EffectID(2), outcome, at: testTime))
        #expect(model.profile?.walk?.done == (isRefused ? 1 : 0))
        #expect((model.profile?.walk?.obstacle == nil) == isRefused)
    }

    @Test func aCancelledStepCanBeRepeated() {
        var model = after(listing([alice], walkProfile), keys: .character("n"))
        #expect(press(.escape, &model) == [.cancel(EffectID(2))])
        #expect(model.profile?.walk?.done == 0)
        #expect(press(.character("n"), &model).count == 1)
    }

    @Test func theScenarioReachesItsEnd() {
        var model = walked(4)
        #expect(model.profile?.walk?.next == nil)
        #expect(press(.character("n"), &model) == [])
        #expect(model.notice?.text == "The scenario is complete.")
    }

    @Test("Outside the demo there are no scenarios", arguments: ["w", "n"])
    func onlyInTheDemonstration(key: Character) {
        var model = listing([alice])
        #expect(press(.character(key), &model) == [])
        #expect(model.routes.isEmpty)
        #expect(model.notice != nil)
    }
}
