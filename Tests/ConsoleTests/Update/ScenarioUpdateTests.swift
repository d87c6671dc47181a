import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("Update: scenarios")
struct ScenarioUpdateTests {
    private func press(_ key: Key, _ model: inout Model) -> [Effect] { update(&model, .input(.key(key))) }

    @Test func thePickerStartsTheSelectedScenario() {
        var model = after(listing([alice], walkProfile), keys: .character("w"), .down)
        #expect(press(.enter, &model) == [.work(EffectID(2), .openScenario("password-changed"))])
        #expect(press(.enter, &model) == [], "the scenario is starting")
        var opened = walkProfile
        opened.name = "another"
        #expect(
            update(&model, .result(EffectID(2), .scenarioOpened(.success(opened)))) == [
                .work(EffectID(3), .readAccounts)
            ])
        #expect(model.profile == opened)
        #expect(model.routes == [AnyScreen(WalkState(running: nil))])
        #expect(model.accounts.all.isEmpty, "the scenario has its own cache")
    }

    @Test("The walk's next step, help and closing stay in the status line", arguments: [44, 60, 80, 120])
    func lastingHints(width: Int) throws {
        let size = Size(width: width, height: 24)
        for model in [listing([alice, bob], walkProfile, size: size), after(walked(1), .input(.resize(size)))] {
            let line = try #require(view(model, size).lines.last)
            for hint in ["n next step", "? help", "q "] { #expect(line.contains(hint), "\(line)") }
        }
    }

    @Test("All steps, with the current one, are on each screen of a walk", arguments: [80, 120])
    func marks(width: Int) {
        let size = Size(width: width, height: 24)
        let walking = after(walked(2), .input(.resize(size)))
        for model in [walking, after(walking, keys: .escape)] {
            let marks = Glyphs.unicode.check + Glyphs.unicode.pointer + Glyphs.unicode.pending
            let text = view(model, size).text
            #expect(text.contains(marks) || text.contains("\(Glyphs.unicode.pointer) 2 "), "\(text)")
        }
    }

    @Test("A long error leaves the address on the screen", arguments: [16, 24, 40])
    func errorBesideAddress(height: Int) throws {
        let size = Size(width: 80, height: height)
        let waiting = after(after(waitingForBrowser, .input(.resize(size))), keys: .character("2"))
        let page = try #require(waiting.newest(WalkState.self)?.waitingPage(waiting.context)).absoluteString
        func shown(_ model: Model) -> String {
            view(model, size).lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined()
        }
        try #require(shown(waiting).contains(page.prefix(150)))
        let id = try #require(waiting.running)
        let rejected = after(waiting, .input(.paste("http://wrong/")), .progress(id, .pasteRejected(wrongPasteReport)))
        #expect(shown(rejected).contains(page.prefix(150)), "\(view(rejected, size).text)")
        #expect(view(rejected, size).text.contains("✗ "))
    }

    @Test("The page of a sign-in that has ended is asked for no more, while earlier steps are repeated")
    func noPage() throws {
        var model = waitingForBrowser
        let walk = try #require(model.newest(WalkState.self))
        let flow = try #require(model.walk?.records.last?.flow)
        model.context.traces.change(flow) { $0.ending = .succeeded }
        #expect(walk.waitingPage(model.context) == nil && walk.question(model.context) == nil)
    }

    @Test("Over ssh, each size shows how to forward the browser, if necessary after scrolling", arguments: [80, 120])
    func forwarding(width: Int) throws {
        let size = Size(width: width, height: width == 80 ? 24 : 40)
        var waiting = after(
            waitingForBrowser, .input(.resize(size)), event(.openBrowser, .succeeded, after: 0.4),
            event(.waitForResponse, .started, after: 0.4))
        waiting.context.options.proposal = MethodProposal(
            MachineFacts(environment: ["SSH_CONNECTION": "1 2 192.0.2.7 22"]))
        let shown = view(waiting, size).text
        for text in ["ssh -N -L", "u who signs in"] { #expect(shown.contains(text), "\(shown)") }
        #expect(after(waiting, keys: .character("1")).newest(WalkState.self)?.offset == 0)
    }

    @Test("Over ssh, a device code at the demo's authority needs its port", arguments: [80, 120])
    func forwardingOfCode(width: Int) throws {
        let size = Size(width: width, height: width == 80 ? 24 : 40)
        let page = try #require(URL(string: "http://127.0.0.1:4711/device"))
        let code = MSALDeviceCode(
            userCode: "BCDF-GHJK", verificationURL: page, expiresOn: testTime.addingTimeInterval(900), interval: 5,
            message: "")
        var waiting = device(
            ShownDeviceCode(code: code, picture: nil), [], after: 0, listing([], demoProfile, size: size))
        let line = "ssh -N -L 4711:localhost:4711 192.0.2.7"
        #expect(!view(waiting, size).text.contains(line))
        waiting.context.options.proposal = MethodProposal(
            MachineFacts(environment: ["SSH_CONNECTION": "1 2 192.0.2.7 22"]))
        #expect(view(waiting, size).text.contains(line), "\(view(waiting, size).text)")
    }

    @Test("A step of a scenario is repeated in the scenario opened again, whether it's the newest or not")
    func repetition() throws {
        var model = named(walked(2))
        model = after(model, keys: .character("b"))
        #expect(press(.character("r"), &model) == [.work(EffectID(6), .openScenario("plain-sign-in", replaying: 0))])
        #expect(model.walk?.records.isEmpty == true)
        #expect(press(.character("n"), &model) == [], "the step is still running")
        let effects = update(&model, .result(EffectID(6), .scenarioOpened(.success(demoProfile))))
        let first = try #require(walkProfile.walk).steps[0]
        #expect(effects == [.work(EffectID(7), .performStep(first, isScripted: false))])
        #expect(model.profile?.authority == demoProfile.authority && model.walk?.shown == 0)
    }

    @Test("A step that was cancelled or failed is done again from the state before it")
    func retry() throws {
        var model = named(walked(1))
        let second = try #require(walkProfile.walk).steps[1]
        #expect(press(.character("n"), &model) == [.work(EffectID(4), .performStep(second, isScripted: false))])
        #expect(press(.escape, &model) == [])
        #expect(press(.escape, &model) == [.cancel(EffectID(4))])
        #expect(press(.character("n"), &model) == [.work(EffectID(5), .openScenario("plain-sign-in", replaying: 1))])
        // A scenario that can't be opened again changes nothing, and the step can be tried again.
        _ = update(&model, .result(EffectID(5), .scenarioOpened(.failure(networkReport))))
        #expect(model.notice?.text.contains(networkReport.reason) == true)
        #expect(model.walk?.running == nil && model.walk?.records.count == 1)
        #expect(press(.character("n"), &model) == [.work(EffectID(6), .openScenario("plain-sign-in", replaying: 1))])
    }

    private func named(_ model: Model) -> Model {
        var model = model
        model.context.walk?.name = "plain-sign-in"
        return model
    }

    @Test("A step begins without a pause")
    func pause() {
        var model = after(walked(1), keys: .character("r"))
        #expect(model.walk?.running != nil)
        model.context.walk?.playback?.isPaused = true
        model.context.walk?.begin(EffectID(99), step: 0, hasFlow: true, accounts: [])
        #expect(model.walk?.playback?.isPaused == false)
    }

    @Test func aScenarioThatFailsToStartLeavesThePicker() {
        var model = after(listing([alice], walkProfile), keys: .character("w"), .enter)
        #expect(update(&model, .result(EffectID(2), .scenarioOpened(.failure(networkReport)))) == [])
        #expect(model.newest(ScenariosState.self)?.running == nil)
        #expect(model.notice?.text.contains(networkReport.reason) == true)
        #expect(model.profile == walkProfile)
    }

    @Test func aScenarioThatStartsTooLateIsTheProfileThatRequestsGoTo() {
        let left = after(listing([alice], walkProfile), keys: .character("w"), .enter, .escape)
        #expect(after(left, .result(EffectID(2), .scenarioOpened(.success(demoProfile)))).profile == demoProfile)
    }

    @Test func theStepsRunOneByOne() throws {
        var model = listing([alice], walkProfile)
        let steps = try #require(walkProfile.walk).steps
        #expect(press(.character("n"), &model) == [.work(EffectID(2), .performStep(steps[0], isScripted: false))])
        #expect(model.routes == [AnyScreen(WalkState(running: EffectID(2)))])
        #expect(model.walk?.done == 0)
        _ = update(&model, .result(EffectID(2), .acquired(.success(acquisition))))
        #expect(model.walk?.done == 1)
        #expect(press(.character("n"), &model) == [.work(EffectID(4), .performStep(steps[1], isScripted: false))])
        #expect(model.routes == [AnyScreen(WalkState(running: EffectID(4)))])
    }

    @Test("A removal with a revocation has a flow, which ends")
    func revokingRemoval() throws {
        var profile = walkProfile
        var step = try #require(profile.walk?.steps.last)
        step.revokes = true
        profile.walk = GuidedWalk(title: "", story: "", steps: [step], teaches: "")
        for (failure, ending) in [(nil, "succeeded"), (networkReport, "failed: \(networkReport.headline)")] {
            var model = listing([alice], profile)
            _ = press(.character("n"), &model)
            #expect(model.context.traces.all.map(\.endingWords) == ["running"])
            _ = update(&model, ConsoleTests.ending(of: step, EffectID(2), fails: failure))
            #expect(model.context.traces.all.map(\.endingWords) == [ending])
        }
    }

    @Test func aCallIsAWalkOfOneStepWithTheSelectedAccount() throws {
        var model = after(listing([bob, alice]), keys: .character("a"))
        #expect(press(.enter, &model) == [], "there is no URL")
        model = after(model, .input(.paste("post https://api.contoso.example/notes")))
        let effects = press(.enter, &model)
        let selected = try #require(model.accounts.selected)
        guard case .work(let id, .performStep(let step, false)) = effects.first,
            case .call(let target, let method) = step.action
        else {
            Issue.record("\(effects)")
            return
        }
        #expect(
            target
                == APITarget(
                    method: "POST", address: "https://api.contoso.example/notes", account: selected.identifier))
        #expect(method == .browser && step.username == selected.username)
        model = after(model, .result(id, .called(.success(apiAnswer))))
        #expect(model.traces[id]?.ending == .succeeded)
        #expect(model.walk?.records.last?.result == .responded(apiAnswer))
        model = after(model, keys: .escape, .escape)
        #expect(model.focus == .accounts && model.context.walkBelow == nil)
        #expect(AccountsScreen().entry("walkOn", model.context)?.isHinted == false)
    }

    @Test func theExchangesOfACallHaveNumbersOfTheirOwn() throws {
        let trace = try #require(called().traces[EffectID(2)])
        #expect(Set(trace.exchanges.map(\.number)).count == callExchanges.count)
        #expect(trace.diagram.parties == [.application, .browser, .authority, .api])
        #expect(trace.correlationID == signInExchanges.first?.correlationId.uuidString)
    }

    @Test func aPathIsOfTheAuthoritysOwnAPI() throws {
        let authority = try #require(URL(string: "http://127.0.0.1:4711/common"))
        #expect(APITarget(address: "/api/me").absolute(at: authority).address == "http://127.0.0.1:4711/api/me")
        #expect(
            APITarget(address: "https://api.example/me").absolute(at: authority).address == "https://api.example/me")
    }

    @Test func onlyHTTPMethodsAreAccepted() {
        #expect(APITarget("post https://api.example/me")?.method == "POST")
        #expect(APITarget("FOO https://api.example/me") == nil)
    }

    @Test func aBodyIsLimitedAndWithoutControls() {
        #expect(rejectedResponse.excerpt.count == 13 && rejectedResponse.excerpt.last == "(more)")
        #expect(rejectedResponse.excerpt.allSatisfy { !$0.contains("\u{1B}") })
    }

    @Test func theScenarioStopsAtAStepThatFails() {
        var model = listing([alice], walkProfile)
        _ = press(.character("n"), &model)
        _ = update(&model, .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(model.walk?.done == 0)
        #expect(model.walk?.obstacle == networkReport.headline)
        #expect(press(.character("n"), &model).count == 1, "the step can be repeated")
        #expect(model.walk?.obstacle == nil)
        let again = model.walk?.running ?? EffectID(0)
        _ = update(&model, .result(again, .acquired(.success(acquisition))))
        #expect(model.walk?.done == 1)
    }

    @Test("A step that expects a rejection succeeds when the authority rejects it", arguments: [true, false])
    func rejection(isRejected: Bool) throws {
        var profile = walkProfile
        profile.walk?.steps[0].expected = .failure(try #require(MSALError(rawValue: networkReport.code)))
        var model = listing([alice], profile)
        _ = press(.character("n"), &model)
        let outcome: Outcome<Acquisition> = isRejected ? .failure(networkReport) : .success(acquisition)
        _ = update(&model, .result(EffectID(2), .acquired(outcome)))
        #expect(model.walk?.done == (isRejected ? 1 : 0))
        #expect((model.walk?.obstacle == nil) == isRejected)
    }

    @Test func aCancelledStepCanBeRepeated() {
        var model = after(listing([alice], walkProfile), keys: .character("n"))
        #expect(press(.escape, &model) == [])
        #expect(press(.escape, &model) == [.cancel(EffectID(2))])
        #expect(model.walk?.done == 0)
        #expect(press(.character("n"), &model).count == 1)
    }

    @Test(
        "Space and the keys of a clicker do the next step, or show the previous one",
        arguments: [["n", "b"], [" ", "b"], [.right, .left], [.pageDown, .pageUp]] as [[Key]])
    func clickers(keys: [Key]) {
        var model = walked(2)
        #expect(after(model, keys: keys[1]).walk?.shown == 0)
        #expect(after(model, keys: keys[1], keys[0]).walk?.shown == 1)
        #expect(press(keys[0], &model).count == 1)
        #expect(model.walk?.current == 2)
    }

    @Test("In the walk, a finished step shows its result at once or arrow by arrow")
    func playback() throws {
        var model = playing()
        #expect(model.pace == .walking)
        #expect(model.context.shownArrows.count == 0)
        model = ticked(model, 3)
        #expect(model.context.shownArrows.count == 1)
        model = after(model, keys: "l")
        #expect(model.context.shownArrows.count == 2)
        #expect(model.pace == .still, "a paused playback needs no ticks")
        #expect(ticked(model, 5).context.shownArrows == model.context.shownArrows)
        #expect(press(.character("n"), &model) == [], "shows the rest")
        #expect(model.context.shownArrows.count == model.context.shownDiagram?.arrows.count)
        #expect(model.pace == .still)
        #expect(press(.character("n"), &model).count == 1, "does the next step")
    }

    @Test("The scripted user acts on the page, and closes one that leads nowhere")
    func scripted() throws {
        var model = listing([], scriptedProfile)
        #expect(press(.character("n"), &model).count == 1)
        let page = try #require(authorizationURL)
        #expect(
            update(&model, event(.openBrowser, .started, after: 0.33, url: page))
                == [.act(EffectID(3), for: EffectID(2), page: page, step: 0, isCode: false)])
        #expect(update(&model, .progress(EffectID(2), .stuck)) == [.cancel(EffectID(2))])
    }

    @Test("u hands a waiting page over to the scripted user")
    func handOver() throws {
        var model = listing([], walkProfile)
        _ = press(.character("n"), &model)
        let page = try #require(authorizationURL)
        #expect(update(&model, event(.openBrowser, .started, after: 0.33, url: page)) == [])
        #expect(
            press(.character("u"), &model)
                == [.act(EffectID(3), for: EffectID(2), page: page, step: 0, isCode: false)])
        #expect(model.walk?.isScripted == true)
    }

    @Test("A step that waits for the user shows the sign-in's block, and takes the URL however it comes")
    func waiting() throws {
        let text = view(waitingForBrowser, standardSize).text
        let address = try #require(authorizationURL?.absoluteString)
        #expect(text.replacing("\n", with: "").contains(address), "\(text)")
        var model = waitingForBrowser
        for letter in "http://localhost/?code=x" { #expect(press(.character(letter), &model) == [], "\(letter)") }
        #expect(press(.enter, &model) == [.deliver(EffectID(2), "http://localhost/?code=x")])
        model = after(model, .progress(EffectID(2), .pasteRejected(wrongPasteReport)))
        #expect(model.layer == "Paste into the scenario" && view(model, standardSize).text.contains("✗ "))
        #expect(after(model, keys: .escape).layer == "Scenario")
        #expect(after(model, keys: .escape, .character("m")).notice?.text == "The step uses this method.")
    }

    @Test("A call that waits for a sign-in can change its method")
    func otherMethod() throws {
        let closed = after(listing([alice]), keys: .character("a"), .character("x"), .escape)
        #expect(after(closed, keys: .character("a")).overlay?.as(CallEntry.self)?.field.text == "x")
        var model = after(listing([alice]), keys: .character("a"))
        _ = update(&model, .input(.paste("https://api.contoso.example/notes")))
        guard case .work(let id, .performStep(_, false)) = press(.enter, &model).first else { throw Unexpected() }
        _ = update(&model, of(id, event(.openBrowser, .started, after: 0.33, url: authorizationURL)))
        let effects = press(.character("m"), &model)
        guard effects.first == .cancel(id), case .work(_, .performStep(let step, false)) = effects.last else {
            throw Unexpected()
        }
        #expect(step.method == .device)
    }

    @Test("A sign-in outside a scenario becomes a walk of one step")
    func adHoc() throws {
        var model = after(listing([], demoProfile), keys: .character("i"))
        let page = try #require(authorizationURL)
        _ = update(&model, event(.openBrowser, .started, after: 0.33, url: page))
        let effects = press(.character("u"), &model)
        #expect(effects == [.act(EffectID(3), for: EffectID(2), page: page, step: nil, isCode: false)])
        #expect(model.routes == [AnyScreen(WalkState(running: EffectID(2)))])
        _ = update(&model, .result(EffectID(2), .acquired(.success(acquisition))))
        #expect(model.walk?.next == nil)
    }

    @Test("b shows what was, and n returns to the newest step")
    func earlier() {
        var model = walked(2)
        #expect(press(.character("b"), &model) == [])
        #expect(model.walk?.shown == 0)
        #expect(press(.character("n"), &model) == [], "shows the later step")
        #expect(model.walk?.showsEarlier == false)
        #expect(model.walk?.done == 2)
    }

    @Test("r does the shown step again; a different outcome stops the walk")
    func again() {
        var model = walked(2)
        #expect(press(.character("r"), &model).count == 1)
        let id = model.walk?.running ?? EffectID(0)
        _ = update(&model, .result(id, .acquired(.failure(networkReport))))
        #expect(model.walk?.done == 1)
        #expect(model.walk?.obstacle == networkReport.headline)
    }

    @Test("The text below the flow scrolls, so that a long lesson can be read")
    func longLesson() {
        var profile = walkProfile
        profile.walk?.steps = Array(walkProfile.walk?.steps.prefix(1) ?? [])
        profile.walk?.teaches = String(repeating: "Words of a long lesson. ", count: 120) + "The end."
        var model = after(listing([], profile), keys: .character("n"))
        model = after(
            model, .result(EffectID(2), .acquired(.success(acquisition))),
            .result(EffectID(3), .accounts(.success([alice]))))
        #expect(!view(model, standardSize).text.contains("The end."))
        #expect(view(model, standardSize).text.contains("J more"))
        for _ in 0..<6 { model = after(model, keys: .character("J")) }
        #expect(view(model, standardSize).text.contains("The end."))
    }

    @Test("A response opens at what it carries")
    func response() throws {
        var model = after(playing(), keys: .character("n"))
        let arrows = try #require(model.context.shownDiagram).arrows
        #expect(arrows.last?.message == .response)
        model = after(model, keys: .enter)
        let opened = try #require(model.inspector)
        let list = try #require(opened.parameters(model.context))
        let selected = list.all[try #require(opened.opened).selection]
        #expect(selected.place == .responseHeader || selected.place == .responseBody)
    }

    @Test("The lists open at the open scenario, and say that starting another one ends it")
    func openList() {
        var model = walked(1)
        model.context.walk?.name = "outage"
        model = after(model, keys: .character("w"))
        #expect(model.newest(ScenariosState.self)?.selection == 2)
        #expect(view(model, standardSize).text.contains("This ends the open scenario"))
        model = after(listing([], walkProfile), keys: .character("w"))
        #expect(!view(model, standardSize).text.contains("This ends"))
    }

    @Test("b leads to a scenario that has not begun")
    func backBeforeTheFirstStep() {
        let model = after(after(listing([], walkProfile), .started), keys: .escape, .escape)
        #expect(model.focus == .accounts)
        #expect(after(model, keys: .character("b")).newest(WalkState.self) != nil)
    }

    @Test("The flow says what a user at the keyboard must do")
    func waitingInTheFlow() throws {
        let page = try #require(URL(string: "http://127.0.0.1:4711/device"))
        let code = MSALDeviceCode(
            userCode: "BCDF-GHJK", verificationURL: page, expiresOn: testTime.addingTimeInterval(900), interval: 5,
            message: "")
        var model = listing([], walkProfile)
        _ = press(.character("n"), &model)
        model = after(model, .progress(EffectID(2), .deviceCode(ShownDeviceCode(code: code, picture: nil))))
        #expect(view(model, standardSize).text.contains("BCDF-GHJK"))
    }

    @Test("The list of faults is searched by words, and opens one as a scenario")
    func faults() {
        var model = after(
            after(listing([], walkProfile), keys: .character("F"), .character("/")), .input(.paste("8 mb")))
        #expect(press(.enter, &model) == [.work(EffectID(2), .openScenario("fault-huge-body"))])
    }

    @Test func theParametersOfAnArrowLeadBackToTheDiagram() throws {
        var walk = after(playing(), keys: .character("n"), .home)
        for _ in 0..<20 where after(walk, keys: .enter).inspector == nil { walk = after(walk, keys: .down) }
        let opened = after(walk, keys: .enter)
        #expect(opened.inspector != nil)
        #expect(after(opened, keys: .escape).focus == walk.focus)
    }

    @Test func theAccountsLeadBackToTheScenario() {
        let walk = after(playing(), keys: .character("n"), .up)
        let left = after(walk, keys: .escape, .escape)
        #expect(left.focus != walk.focus)
        #expect(after(left, keys: .character("b")).focus == walk.focus)
        #expect(after(listing([alice]), keys: .character("b")).focus == listing([alice]).focus)
    }

    @Test("The demo's user signs out, at the page of a sign-out in the browser", arguments: [true, false])
    func signOut(isDemo: Bool) throws {
        var model = listing([alice], isDemo ? demoProfile : profile)
        let effects = update(&model, .input(.key(.character("D")))) + update(&model, .input(.key(.character("B"))))
        guard case .work(let id, .signOut) = try #require(effects.last) else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(press(.character("u"), &model).isEmpty)
        _ = update(&model, of(id, event(.openBrowser, .started, after: 0.33, url: authorizationURL)))
        guard isDemo else { return #expect(press(.character("u"), &model).isEmpty) }
        guard case .act(_, let flow, let page, _, false) = try #require(press(.character("u"), &model).first) else {
            return #expect(Bool(false), "no action")
        }
        #expect(flow == id && page == authorizationURL)
    }

    @Test func theScenarioReachesItsEnd() {
        var model = walked(4)
        #expect(model.walk?.next == nil)
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
