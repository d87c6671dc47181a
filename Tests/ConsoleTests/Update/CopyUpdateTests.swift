import Foundation
import TerminalUI
import Testing

@testable import Console

@Suite("Copying texts")
struct CopyUpdateTests {
    private func effects(of key: Character, on model: Model) -> [Effect] {
        var model = model
        return update(&model, .input(.key(.character(key))))
    }

    private var waiting: Model {
        eventsUntilWaiting.reduce(after(listing([alice]), keys: .character("i"))) { after($0, $1) }
    }

    private var withCode: Model {
        after(after(listing([alice]), keys: .character("m")), .progress(EffectID(2), .deviceCode(shownCode)))
    }

    @Test func aSignInCopiesTheURL() throws {
        let address = try #require(authorizationURL?.absoluteString)
        let text = CopiedText("the URL", fileName: "url.txt", address)
        #expect(effects(of: "c", on: waiting) == [.work(EffectID(3), .copy(text))])
        #expect(effects(of: "y", on: waiting) == [.work(EffectID(3), .copy(text))])
        // Nothing is written without a question.
        #expect(effects(of: "Y", on: waiting).isEmpty)
        #expect(effects(of: "y", on: after(waiting, keys: "Y")) == [.work(EffectID(3), .save(text))])
        #expect(effects(of: "q", on: after(waiting, keys: "Y", "Y", .escape)) == [.cancel(EffectID(2))])
    }

    @Test func aDeviceCodeCopiesTheCodeAndTheURL() {
        let code = CopiedText("the code", fileName: "code.txt", shownCode.code.userCode)
        let page = shownCode.code.verificationURLComplete ?? shownCode.code.verificationURL
        #expect(effects(of: "c", on: withCode) == [.work(EffectID(4), .copy(code))])
        #expect(
            effects(of: "y", on: withCode)
                == [.work(EffectID(4), .copy(CopiedText("the URL", fileName: "url.txt", page.absoluteString)))])
    }

    @Test("The code is copied as soon as it's there, if there is a clipboard", arguments: [true, false])
    func copiesItself(hasClipboard: Bool) {
        var model = after(listing([alice]), keys: .character("m"))
        model.context.options.hasClipboard = hasClipboard
        var code = CopiedText("the code", fileName: "code.txt", shownCode.code.userCode)
        code.isWanted = false
        #expect(
            update(&model, .progress(EffectID(2), .deviceCode(shownCode)))
                == (hasClipboard ? [.work(EffectID(3), .copy(code))] : []))
        #expect(model.layer == "Sign in")
        // The user didn't ask for it, so nothing asks the user about a file.
        let failed = after(model, .result(EffectID(3), .copied(.text(code), .rejected("Too long for the clipboard."))))
        #expect(failed.layer == "Sign in")
    }

    @Test func beforeThereIsAURLNothingIsCopied() {
        let started = after(listing([alice]), keys: .character("i"), .character("c"))
        #expect(started.notice?.text == "Nothing to copy yet.")
    }

    @Test func anErrorCopiesItsWholeText() throws {
        let effects = effects(of: "c", on: showingFailure(rejectedReport))
        guard case .work(_, .copy(let text)) = try #require(effects.first) else {
            Issue.record("\(effects)")
            return
        }
        #expect(text.text.hasPrefix(rejectedReport.headline))
        #expect(text.text.contains("Correlation ID: "))
        #expect(text.text.contains("Why: \(rejectedReport.reason)"))
    }

    @Test func aClaimCopiesItsValue() {
        let model = after(showingClaims(), keys: .end)
        guard let state = model.newest(ClaimsState.self), case .header(let claim) = state.rows.last else {
            Issue.record("The last row is not a header.")
            return
        }
        let text = CopiedText("the value of \(claim.name)", fileName: "claim.txt", claim.text)
        #expect(effects(of: "y", on: model) == [.work(EffectID(3), .copy(text))])
    }

    @Test func sentTextIsConfirmed() {
        let model = after(
            waiting, .result(EffectID(9), .copied(.text(CopiedText("the code", fileName: "code.txt", "ABCD")), .sent)))
        #expect(
            model.notice
                == Notice(
                    .success, "Sent the code to the terminal's clipboard. If it's not there, press Y to save a file."))
    }

    @Test("Y saves what was copied last, and is offered only where it does")
    func lastCopied() {
        let curl = CopiedText("the curl command", fileName: "curl.txt", "curl ")
        let sent = Message.result(EffectID(9), .copied(.text(curl), .sent))
        let claims = after(showingClaims(), sent)
        #expect(claims.notice?.text.hasSuffix("press Y to save a file.") == true)
        #expect(effects(of: "y", on: after(claims, keys: "Y")) == [.work(EffectID(3), .save(curl))])
        #expect(effects(of: "y", on: after(claims, keys: .down, "Y")) != [.work(EffectID(3), .save(curl))])
        #expect(after(listing([alice]), sent).notice?.text == "Sent the curl command to the terminal's clipboard.")
        let token = after(after(showingClaims(), .result(EffectID(9), .copied(.token(acquisition), .sent))), keys: "Y")
        #expect(view(token, standardSize).text.contains("Saves the access token to a new file"))
        #expect(effects(of: "y", on: token) == [.work(EffectID(3), .copyToken(acquisition, saves: true))])
    }

    @Test("Without a clipboard, copying asks whether to save a file, also for a token, which isn't in the model")
    func noClipboard() {
        var model = showingClaims()
        model.options.hasClipboard = false
        let asked = after(model, keys: "c")
        #expect(view(asked, standardSize).text.contains("Saves the access token to a new file"))
        #expect(effects(of: "y", on: asked) == [.work(EffectID(4), .copyToken(acquisition, saves: true))])
        #expect(effects(of: "c", on: model).isEmpty)
        let rejected = after(
            showingClaims(), .result(EffectID(9), .copied(.token(acquisition), .rejected("Too long."))))
        #expect(effects(of: "y", on: rejected) == [.work(EffectID(3), .copyToken(acquisition, saves: true))])
    }

    @Test func textThatTheTerminalCannotTakeGoesToAFileAfterAQuestion() {
        let text = CopiedText("the error", fileName: "error.txt", "The write failed.")
        var model = waiting
        #expect(
            update(
                &model, .result(EffectID(9), .copied(.text(text), .rejected("Too long for the terminal's clipboard.")))
            )
            .isEmpty)
        #expect(update(&model, .input(.key(.enter))) == [.work(EffectID(3), .save(text))])
        model = after(model, .result(EffectID(9), .saved(text, .success("/home/alice/error.txt"))))
        #expect(
            model.notice == Notice(.success, "Saved the error to /home/alice/error.txt; only you can read it."))
    }

    @Test func aFileThatCannotBeWrittenIsAWarning() {
        let text = CopiedText("the error", fileName: "error.txt", "The write failed.")
        let model = after(waiting, .result(EffectID(9), .saved(text, .failure(networkReport))))
        #expect(model.notice?.severity == .warning)
    }

    @Test func theAccountListOffersNothingToCopy() {
        #expect(listing([alice]).copyable == nil)
    }
}
