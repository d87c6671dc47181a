import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("Update: flows and their results")
struct FlowUpdateTests {
    private let signingIn = after(listing([alice]), keys: .character("i"))
    private let acquiring = after(listing([alice]), keys: .enter)

    @Test func eventsMoveTheSteps() throws {
        let model = eventsUntilWaiting.reduce(signingIn) { after($0, $1) }
        guard let state = model.newest(SignInState.self) else { throw Unexpected() }
        #expect(state.progress.authorizationURL == authorizationURL)
        #expect(state.progress.steps.map(\.step) == FlowProgress.interactive.steps.map(\.step))
        #expect(
            state.progress.steps.map(\.state) == [
                .succeeded, .succeeded, .succeeded, .running, .pending, .pending, .pending,
            ])
        #expect(state.progress.current?.step == .waitForResponse)
        #expect(model.now == testTime.addingTimeInterval(0.41))
    }

    @Test func anIgnoredResponseIsANoteOnTheRunningStep() {
        var progress = FlowProgress.interactive
        for phase in [MSALFlowEvent.Phase.started, .noted, .failed] {
            progress.record(MSALFlowEvent(step: .waitForResponse, phase: phase, detail: "\(phase)", date: testTime))
        }
        let step = progress.steps.first { $0.step == .waitForResponse }
        #expect(step?.remarks == ["noted"])
        #expect(step?.state == .failed)
        #expect(step?.detail == "failed")
    }

    @Test func anUnexpectedStepComesBeforeTheRemainingSteps() {
        var progress = FlowProgress.interactive
        progress.record(MSALFlowEvent(step: .findAuthority, phase: .succeeded, detail: "", date: testTime))
        progress.record(MSALFlowEvent(step: .readCache, phase: .started, detail: "", date: testTime))
        #expect(progress.steps.map(\.step).prefix(3) == [.findAuthority, .readCache, .listen])
    }

    @Test func withoutABrokerTheBrowsersStepsFollow() {
        var progress = SignInState(
            id: EffectID(1), request: SignInRequest(scopes: [], method: .broker)
        ).progress
        #expect(progress.steps.map(\.step) == [.callBroker, .findAuthority, .verifyIDToken, .saveTokens])
        progress.record(MSALFlowEvent(step: .callBroker, phase: .failed, detail: "None.", date: testTime))
        progress.record(MSALFlowEvent(step: .findAuthority, phase: .succeeded, detail: "", date: testTime))
        progress.record(MSALFlowEvent(step: .listen, phase: .started, detail: "", date: testTime))
        #expect(progress.steps.map(\.step).prefix(3) == [.callBroker, .findAuthority, .listen])
        #expect(progress.steps.first?.state == .failed)
        #expect(progress.steps.first?.detail == "None.")
    }

    @Test func aNoteSaysWhyTheBrokersAccountsAreMissing() {
        var model = newModel()
        #expect(update(&model, .progress(EffectID(1), .unread(networkReport))) == [])
        #expect(model.notice == Notice(.warning, networkReport.reason))
    }

    @Test func durationsRunUntilTheEnd() {
        var progress = FlowProgress.silent
        #expect(progress.steps[0].duration(by: testTime) == nil)
        progress.record(MSALFlowEvent(step: .readCache, phase: .started, detail: "", date: testTime))
        #expect(progress.steps[0].duration(by: testTime.addingTimeInterval(3)) == 3)
        progress.record(
            MSALFlowEvent(step: .readCache, phase: .succeeded, detail: "", date: testTime.addingTimeInterval(1)))
        #expect(progress.steps[0].duration(by: testTime.addingTimeInterval(9)) == 1)
    }

    @Test func aSignInEndsOnTheClaimsAndReadsTheListAgain() {
        var model = signingIn
        let effects = update(&model, .result(EffectID(2), .acquired(.success(acquisition))))
        let choices = SavedChoices(scopes: acquisition.scopes)
        #expect(effects == [.work(EffectID(3), .readAccounts), .saveChoices(choices, profile: "contoso")])
        #expect(model.routes == [AnyScreen(ClaimsState(acquisition, flow: EffectID(2)))])
        #expect(model.notice == Notice(.success, "Signed in as alice@contoso.example."))
    }

    @Test func theNewAccountIsSelected() {
        let model = after(
            after(listing([bob]), keys: .character("i")), .result(EffectID(2), .acquired(.success(acquisition))),
            .result(EffectID(3), .accounts(.success([bob, carol, alice]))))
        #expect(model.accounts.selected == alice)
    }

    @Test func aFailedSignInShowsTheError() {
        let model = after(signingIn, .result(EffectID(2), .acquired(.failure(networkReport))))
        let request = SignInRequest(scopes: ["User.Read"])
        let state = FailureState(
            report: networkReport, attempt: .signIn(nil, request, in: SignInChain([.browser], otherwise: [])),
            flow: EffectID(2))
        #expect(model.routes == [AnyScreen(state)])
    }

    @Test("A silent token names its source", arguments: [true, false])
    func silent(fromCache: Bool) {
        var fresh = acquisition
        fresh.isFromCache = fromCache
        var model = acquiring
        // A new token changes the account's row.
        let effects: [Effect] = fromCache ? [] : [.work(EffectID(3), .readAccounts)]
        #expect(update(&model, .result(EffectID(2), .acquired(.success(fresh)))) == effects)
        #expect(model.routes == [AnyScreen(ClaimsState(fresh, flow: EffectID(2)))])
        #expect(model.notice?.text.contains("from the cache") == fromCache)
    }

    @Test func aFailedSilentRequestShowsTheError() {
        let model = after(acquiring, .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(
            model.routes == [AnyScreen(FailureState(report: networkReport, attempt: .silent(alice), flow: EffectID(2)))]
        )
    }

    @Test("An account that another program signed out is named, and the list is read again")
    func signedOutElsewhere() {
        let report = Failure(
            headline: "No such account", reason: "The cache has no account uid.utid.",
            internalCode: MSALInternalError.internalErrorAccountRequired.rawValue)
        var model = acquiring
        #expect(
            update(&model, .result(EffectID(2), .acquired(.failure(report)))) == [.work(EffectID(3), .readAccounts)])
        #expect(model.routes == [] && model.notice?.text.hasPrefix("alice@contoso.example is no longer in the") == true)
    }

    @Test func interactionRequiredOffersASignIn() {
        var model = after(acquiring, .result(EffectID(2), .acquired(.failure(interactionReport))))
        #expect(model.routes == [])
        let text = view(model, standardSize).text
        #expect(text.contains("must sign in again to get a token  │") && text.contains("for User.Read."))
        #expect(text.contains("Sign in with the browser now?"))
        let effects = update(&model, .input(.key(.enter)))
        let request = SignInRequest(scopes: ["User.Read"], account: alice.identifier)
        #expect(effects == [.work(EffectID(3), .signIn(request))])
        #expect(model.routes == [AnyScreen(SignInState(id: EffectID(3), account: alice, request: request))])
    }

    @Test("Leaving a flow cancels it", arguments: [Key.escape, .character("q"), .control("c")])
    func leaving(key: Key) {
        for start in [signingIn, acquiring] {
            var model = start
            #expect(update(&model, .input(.key(key))) == [.cancel(EffectID(2))])
            #expect(model.routes == [])
            #expect(!model.isFinished)
        }
    }

    @Test("A call that was left may have saved an account, so the accounts are read again")
    func leftCall() {
        var model = after(calling(0), keys: .escape)
        #expect(
            update(&model, .result(EffectID(2), .called(.failure(networkReport)))) == [
                .work(EffectID(3), .readAccounts)
            ])
    }

    @Test("An event of a flow that was left is dropped")
    func stale() {
        var model = after(signingIn, keys: .escape)
        let before = model
        #expect(update(&model, event(.redeemCode, .started)) == [])
        #expect(model == before)
    }

    @Test(
        "A flow that was left may have signed an account in, so the accounts are read again, and a later flow goes on",
        arguments: [.success(acquisition), .failure(cancelledReport)] as [Outcome<Acquisition>])
    func leftSignIn(outcome: Outcome<Acquisition>) {
        var model = after(signingIn, keys: .escape, .character("i"))
        let (routes, id) = (model.routes, model.context.nextEffect)
        #expect(update(&model, .result(EffectID(2), .acquired(outcome))) == [.work(id, .readAccounts)])
        #expect(model.routes == routes)
    }

    @Test func ticksOnlyMoveTimeAndSpinner() {
        var model = signingIn
        #expect(update(&model, .tick(testTime.addingTimeInterval(5))) == [])
        var expected = signingIn
        expected.context.now = testTime.addingTimeInterval(5)
        expected.context.spinner = 1
        #expect(model == expected)
    }

    @Test func timeNeverRunsBackwards() {
        let model = after(listing([]), .tick(testTime.addingTimeInterval(5)), .tick(testTime))
        #expect(model.now == testTime.addingTimeInterval(5))
        #expect(model.context.spinner == 0)
    }

    @Test("Ticks are requested only while something needs them")
    func pace() {
        #expect(listing([alice]).pace == .still)
        #expect(signingIn.pace == .tenTimesASecond)
        #expect(acquiring.pace == .tenTimesASecond)
        #expect(showingClaims().pace == .everyMinute)
        #expect(showingFailure(networkReport).pace == .still)
        var still = signingIn
        still.options.noMotion = true
        #expect(still.pace == .everySecond)
    }
}

/// The model is not in the state that a test expects.
struct Unexpected: Error {}
