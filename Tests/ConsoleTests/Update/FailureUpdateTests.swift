import Console
import TerminalUI
import Testing

@Suite("Update: after a failure")
struct FailureUpdateTests {
    @Test func aSilentAcquisitionIsTriedAgainSilently() {
        var model = showingFailure(networkReport, attempt: .silent(bob))
        #expect(
            update(&model, .input(.key(.character("r"))))
                == [.acquireSilently(EffectID(2), account: bob.identifier, scopes: ["User.Read"])])
        #expect(model.focus == .silent)
    }

    @Test func orWithTheBrowser() {
        var model = showingFailure(networkReport, attempt: .silent(bob))
        #expect(
            update(&model, .input(.key(.character("i"))))
                == [.signIn(EffectID(2), SignInRequest(scopes: ["User.Read"], account: bob.identifier))])
        #expect(model.focus == .signIn)
    }

    @Test func aSignInIsTriedAgain() {
        var model = showingFailure(networkReport)
        #expect(
            update(&model, .input(.key(.enter))) == [.signIn(EffectID(2), SignInRequest(scopes: ["User.Read"]))])
    }

    @Test("What would fail again is not tried again", arguments: [Key.enter, .character("r"), .character("i")])
    func hopeless(key: Key) {
        var model = showingFailure(unusableReport)
        #expect(update(&model, .input(.key(key))) == [])
        #expect(model.focus == .failure)
        #expect(model.notice?.text == "It would fail the same way again.")
    }

    @Test func aSignInDoesNotHelpWithARemoval() {
        let model = after(showingFailure(networkReport, attempt: .removal(alice)), keys: .character("i"))
        #expect(model.focus == .failure)
        #expect(model.notice?.text == "A sign-in does not help with a removal.")
    }

    @Test func aLongReportScrolls() {
        let model = showingFailure(refusedReport, size: Size(width: 40, height: 12))
        guard case .failure(let state) = after(model, keys: .end, .pageDown).routes.last else {
            Issue.record("The failure is not shown.")
            return
        }
        #expect(state.top > 0)
        #expect(after(model, keys: .end, .pageDown) == after(model, keys: .end))
    }
}
