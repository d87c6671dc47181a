import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("Update: after a failure")
struct FailureUpdateTests {
    @Test func aSilentRequestIsRetriedSilently() {
        var model = showingFailure(networkReport, attempt: .silent(bob))
        #expect(
            update(&model, .input(.key(.character("r"))))
                == [.work(EffectID(2), .acquireSilently(account: bob.identifier, scopes: ["User.Read"]))])
        #expect(model.focus == .silent)
    }

    @Test func orWithTheBrowser() {
        var model = showingFailure(networkReport, attempt: .silent(bob))
        #expect(
            update(&model, .input(.key(.character("i"))))
                == [.work(EffectID(2), .signIn(SignInRequest(scopes: ["User.Read"], account: bob.identifier)))])
        #expect(model.focus == .signIn)
    }

    @Test func aSignInIsRetried() {
        var model = showingFailure(networkReport)
        #expect(
            update(&model, .input(.key(.enter))) == [.work(EffectID(2), .signIn(SignInRequest(scopes: ["User.Read"])))])
    }

    @Test("A request that would fail again is not retried", arguments: [Key.character("r"), .character("i")])
    func hopeless(key: Key) {
        var model = showingFailure(unusableReport)
        #expect(update(&model, .input(.key(key))) == [])
        #expect(model.focus == .failure)
        #expect(model.notice?.text == "It would fail again.")
    }

    @Test func anotherMethodMayWork() {
        let model = showingFailure(
            unusableReport, attempt: .signIn(nil, SignInRequest(scopes: ["User.Read"], method: .device), in: nil))
        #expect(after(model, keys: .character("i")).focus == .signIn)
        #expect(after(model, keys: .character("r")).notice?.text == "It would fail again.")
    }

    @Test(
        "Enter does what helps",
        arguments: [
            (-42008, MSALFailureKind.unavailable, Failure.NextStep.tryAgain), (-42003, .misconfigured, .changeProfile),
            (-42005, .rejected, .changeRequest), (-42011, .misconfigured, .check),
            (-42004, .signInRequired, .signInAsAdvised),
        ])
    func nextSteps(internalCode: Int, kind: MSALFailureKind, step: Failure.NextStep) {
        var report = Failure(headline: "It failed.", reason: "Why.", kind: kind, internalCode: internalCode)
        #expect(report.nextStep == step)
        let focus: Layer =
            switch step {
            case .tryAgain, .signIn, .signInAsAdvised: .signIn
            case .check: .check
            case .changeRequest: .signInForm
            case .changeProfile, .chooseProfile: .profiles
            }
        #expect(after(showingFailure(report), keys: .enter).focus == focus)
        report.nextStep = .chooseProfile
        #expect(after(showingFailure(report), keys: .enter).focus == .profiles)
    }

    @Test func thePauseThatAServerRequestedIsCountedDown() {
        var model = after(showingFailure(busyReport), .tick(testTime))
        for (seconds, words) in [(0, "Try again in 1:30."), (29.5, "Try again in 1:01."), (89, "Try again in 0:01.")] {
            model = after(model, .tick(testTime.addingTimeInterval(seconds)))
            let text = view(model, standardSize).text
            #expect(
                text.contains(words) && text.contains("Enter  Try again"))
            #expect(model.pace == .everySecond)
            #expect(after(model, keys: .enter).focus == .signIn)
        }
        model = after(model, .tick(testTime.addingTimeInterval(90)))
        let text = view(model, standardSize).text
        #expect(text.contains("Try again now.") && !text.contains("pause"))
        #expect(model.pace == .still)
    }

    @Test func theScreenNamesTheKeyThatWritesASupportReport() {
        var model = showingFailure(networkReport)
        #expect(view(model, standardSize).text.contains("x      Write a report without"))
        model = after(model, keys: .character("x"))
        #expect(
            update(&model, .input(.key(.enter))) == [
                .work(EffectID(2), .export(.supportReport, replaces: false, profile))
            ])
    }

    @Test func everyCodeOfAnErrorIsExplained() {
        #expect(!view(showingFailure(rejectedReport), Size(width: 100, height: 40)).text.contains("-42003"))
        let text = view(after(showingFailure(rejectedReport), keys: .character("d")), Size(width: 100, height: 40)).text
        for code in ["AADSTS700016", "AADSTS7000218", "invalid_client", "-42003"] { #expect(text.contains(code)) }
        #expect(text.contains("What the codes mean"))
        var told = networkReport
        told.reason = "Request rejected: AADSTS65004: The user declined."
        #expect(
            view(after(showingFailure(told), keys: .character("d")), Size(width: 100, height: 40)).text.contains(
                "AADSTS65004  "))
    }

    @Test func aRemovalOffersNoSignIn() {
        let removal = AccountsState.Removal(id: EffectID(2), account: alice)
        let model = after(showingFailure(networkReport, attempt: .removal(removal)), keys: .character("i"))
        #expect(model.focus == .failure)
        #expect(model.notice?.text == "Signing in doesn't help with a removal.")
    }

    @Test func aLongReportScrolls() {
        let model = showingFailure(rejectedReport, size: Size(width: 40, height: 12))
        guard let state = after(model, keys: .end, .pageDown).newest(FailureState.self) else {
            Issue.record("The failure is not shown.")
            return
        }
        #expect(state.top > 0)
        #expect(after(model, keys: .end, .pageDown) == after(model, keys: .end))
    }
}
