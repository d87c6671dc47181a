import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("The inspector")
struct InspectorUpdateTests {
    private func rows(_ model: Model) -> [String] { (model.inspected?.rows ?? []).map(\.title) }

    @Test("The verification of an ID token is listed after the requests for its keys")
    func verificationAfterKeys() {
        var trace = FlowTrace(id: EffectID(1), title: "Sign in")
        let start = discoveryExchange.startDate.addingTimeInterval(-0.01)
        trace.record(MSALFlowEvent(step: .verifyIDToken, phase: .started, detail: "", date: start))
        trace.record(discoveryExchange)
        let end = discoveryExchange.startDate.addingTimeInterval(1)
        trace.record(MSALFlowEvent(step: .verifyIDToken, phase: .succeeded, detail: "", date: end))
        #expect(trace.rows.map { $0.exchange != nil } == [true, false])
    }

    @Test func aSignInIsShownInTheOrderOfItsEvents() {
        #expect(
            rows(inspecting()) == [
                "OpenID metadata", "Listen for the response", "Authorization request", "Authorization response",
                "Token request (code)", "Verify the ID token", "Save the tokens",
            ])
    }

    @Test func aRunningFlowIsFollowed() {
        let model = inspecting(running([discoveryExchange, authorizationExchange]))
        #expect(rows(model).contains("Authorization request") && !rows(model).contains("Authorization response"))
        let more = after(model, .progress(EffectID(2), .exchange(answerExchange)))
        #expect(rows(more).contains("Authorization response"))
        #expect(more.running == EffectID(2))
        let done = after(more, .result(EffectID(2), .acquired(.success(acquisition))))
        #expect(done.inspected?.ending == .succeeded && done.focus == .inspector)
        #expect(after(done, keys: .escape).focus == .claims)
    }

    @Test func theKeyShowsTheFlowOfTheScreenItIsPressedOn() {
        #expect(inspecting().inspector?.inspected == EffectID(2))
        let failed = signedIn(signInExchanges.dropLast() + [rejectedExchange], outcome: .failure(rejectedReport))
        #expect(inspecting(failed).inspected?.ending == .failed(rejectedReport.headline))
        let listed = after(signedIn(), keys: .escape)
        #expect(inspecting(listed).inspector?.inspected == EffectID(2))
    }

    @Test func longDetailsScrollAndStartAtTheirTop() throws {
        let model = inspecting(keys: .down, .down)
        #expect(after(model, keys: .character("J"), .character("J"), .character("K")).inspector?.detailsTop == 1)
        #expect(after(model, keys: .character("J"), .down).inspector?.detailsTop == 0)
        let last = (0..<99).reduce(model) { model, _ in after(model, keys: .character("J")) }
        let end = try #require(last.inspector?.detailsTop)
        #expect(end > 0 && end < 60)
        #expect(view(last, standardSize).text != view(model, standardSize).text)
        #expect(after(last, keys: .character("K")).inspector?.detailsTop == end - 1)
    }

    @Test func aLongValueScrolls() {
        var model = inspecting(keys: .down, .down, .down, .enter, .character("S"))
        model = after(model, .input(.resize(Size(width: 40, height: 10))))
        #expect(after(model, keys: .character("J")).inspector?.opened?.detailsTop == 1)
        #expect(after(model, keys: .character("J"), .character("S")).inspector?.opened?.detailsTop == 0)
    }

    @Test func shortDetailsDoNotScroll() {
        let model = after(inspecting(keys: .down, .character("J")), .input(.resize(Size(width: 120, height: 40))))
        #expect(after(model, keys: .character("J")).notice?.text == "All details are visible.")
        #expect(after(model, keys: .character("J")).inspector?.detailsTop == 0)
    }

    @Test func withoutAFlowItSaysSo() {
        let model = inspecting(listing([alice]))
        #expect(model.inspector == nil && model.notice?.text == "No requests on this screen.")
    }

    @Test func aLimitedNumberOfOlderFlowsIsKept() throws {
        var model = signedIn()
        for _ in 0..<FlowTraces.limit {
            model = after(model, keys: .escape, .character("i"))
            let id = try #require(model.running)
            model = after(model, .result(id, .acquired(.success(acquisition))))
        }
        #expect(model.traces.all.count == FlowTraces.limit)
        var inspected = inspecting(model)
        for _ in 1..<FlowTraces.limit { inspected = after(inspected, keys: .character("[")) }
        #expect(inspected.inspector?.inspected == model.traces.all.first?.id)
        #expect(after(inspected, keys: .character("[")).notice?.text == "This is the oldest flow.")
        #expect(after(inspected, keys: .character("]")).inspector?.inspected == model.traces.all[1].id)
    }

    @Test func everyFlowOfTheSessionOpensFromAList() {
        let list = after(flowsOfASession(), keys: .character("H"))
        #expect(list.focus == .flows && list.traces.all.count == 3)
        let text = view(list, standardSize).text
        #expect(text.contains("succeeded") && text.contains("failed: ") && text.contains("cancelled"))
        for (row, trace) in list.traces.all.reversed().enumerated() {
            let opened = after(after(list, .select(row: row)), keys: .enter)
            #expect(opened.inspector?.inspected == trace.id)
            #expect(after(opened, keys: .escape).focus == .flows)
        }
        let other = after(after(list, keys: .end, .enter), keys: .character("H"))
        #expect(other.focus == .flows && after(other, keys: .enter).inspector?.inspected == list.traces.all.first?.id)
        #expect(after(listing([alice]), keys: .character("H")).notice?.text == "No flows yet.")
    }

    @Test func escapeGoesBackOneStep() {
        let opened = inspecting(keys: .down, .down, .enter)
        #expect(opened.focus == .exchange)
        let list = after(opened, keys: .escape)
        #expect(list.focus == .inspector && list.inspector?.selection == 2)
        #expect(after(list, keys: .character("q")).focus == .claims)
    }

    @Test func aStepWithoutARequestHasNoParameters() {
        let model = inspecting(keys: .down, .enter)
        #expect(model.focus == .inspector)
        #expect(model.notice?.text == "This step sent no request.")
    }

    @Test func oneKeyMovesToTheNextExchange() {
        let model = inspecting(keys: .enter, .right)
        #expect(model.inspectedExchange?.exchange == authorizationExchange)
        #expect(after(model, keys: .left).inspectedExchange?.exchange == discoveryExchange)
        #expect(after(model, keys: .left, .left).notice?.text == "This is the first exchange.")
    }

    @Test func oneSecretIsRevealedAtATimeAndHiddenWhenItsRowIsLeft() {
        let opened = inspecting(keys: .down, .down, .down, .enter)
        let shown = after(opened, keys: .character("S"))
        let size = Size(width: 100, height: 30)
        #expect(view(shown, size).text.contains("0.AAAA-the-code-of-this-sign-in"))
        for keys: [Key] in [[.character("S")], [.down], [.down, .up], [.escape, .enter], [.right, .left]] {
            let hidden = keys.reduce(shown) { after($0, keys: $1) }
            #expect(!view(hidden, size).text.contains("0.AAAA-the-code-of-this-sign-in"), "\(keys)")
        }
        let plain = after(inspecting(keys: .enter), keys: .character("S"))
        #expect(plain.notice?.text == "This value isn't secret.")
    }

    @Test func noScreenShowsASecretUnasked() {
        for model in [inspecting(), inspecting(keys: .enter), inspecting(keys: .end), inspecting(keys: .enter, .right)]
        {
            for row in 0..<12 {
                let moved = (0..<row).reduce(model) { model, _ in after(model, keys: .down) }
                let text = view(moved, Size(width: 400, height: 100)).text
                for secret in plantedSecrets { #expect(!text.contains(secret)) }
            }
        }
    }

    private func effects(of key: Character, on model: Model) -> [Effect] {
        var model = model
        return update(&model, .input(.key(.character(key))))
    }

    @Test("The report is copied, saved and exported")
    func reports() throws {
        for (key, isCopied) in [("c", true), ("y", false)] as [(Character, Bool)] {
            let model = isCopied ? inspecting() : after(inspecting(), keys: "Y")
            switch try #require(effects(of: key, on: model).first) {
            case .work(_, .copy(let text)): #expect(isCopied && text.fileName == "flow.txt" && !text.text.isEmpty)
            case .work(_, .save(let text)): #expect(!isCopied && text.fileName == "flow.txt" && !text.text.isEmpty)
            case let other: Issue.record("\(other)")
            }
        }
        var model = after(inspecting(), keys: .character("x"))
        for ending in ["har", "txt", "html"] {
            guard case .work(let id, .export(let export, false, _)) = update(&model, .input(.key(.enter))).first,
                case .text(let text) = export.content
            else { throw Unexpected() }
            #expect(export.path == "./flow.\(ending)" && !text.isEmpty)
            model = after(model, .result(id, .exported(export, .failure(existingReport))))
            model = after(model, keys: .tab)
        }
    }

    @Test func aValueIsCopiedAsShown() {
        let code = inspecting(keys: .down, .down, .down, .enter)
        let hidden = CopiedText("the hidden value of code", fileName: "value.txt", "‹redacted› 31 characters")
        #expect(effects(of: "y", on: code).contains { $0 == .work(EffectID(4), .copy(hidden)) })
        let whole = CopiedText("the value of code", fileName: "value.txt", "0.AAAA-the-code-of-this-sign-in")
        #expect(effects(of: "y", on: after(code, keys: .character("S"))) == [.work(EffectID(4), .copy(whole))])
    }

    @Test func controlCEndsTheFlowThatIsFollowed() {
        var model = inspecting(running([discoveryExchange]))
        let effects = update(&model, .input(.key(.control("c"))))
        #expect(effects == [.cancel(EffectID(2))] && model.inspector == nil && model.routes.isEmpty)
    }
}
