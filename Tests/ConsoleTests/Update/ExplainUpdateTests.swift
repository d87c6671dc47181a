import Diagnosis
import TerminalUI
import Testing

@testable import Console

@Suite("Update: the explanation")
struct ExplainUpdateTests {
    @Test func dShowsTheDiagram() {
        let shown = explaining(.success(explained), .character("f"))
        let text = view(shown, standardSize).text
        #expect(text.contains("Browser") && text.contains("AADSTS50011") && !text.contains("Register exactly"))
        #expect(shown.copyable?.text.contains("sequenceDiagram") == true)
        #expect(view(after(shown, keys: .character("f")), standardSize).text.contains("Register exactly"))
    }

    @Test("A narrow window shows the diagram in words")
    func narrow() {
        let model = after(
            explaining(.success(explained), .character("f")), .input(.resize(Size(width: 40, height: 20))))
        #expect(view(model, model.size).text.contains("1. Browser to Authority"))
    }

    @Test func evidenceWithoutRequestsHasNoDiagram() {
        let model = explaining(.success(explainedCode), .character("f"))
        #expect(model.notice?.text == "The input contains no requests.")
    }

    @Test("Ctrl-O decides whether a token's issuer is asked")
    func offline() {
        for (keys, isOffline) in [([Key](), false), ([.control("o")], true), ([.control("o"), .control("o")], false)] {
            var model = keys.reduce(after(listing([alice]), keys: .character("e"))) { after($0, keys: $1) }
            let effects = update(&model, .input(.paste("evidence")))
            #expect(effects == [.explain(EffectID(2), "evidence", model.profile, isOffline: isOffline)])
        }
    }
}
