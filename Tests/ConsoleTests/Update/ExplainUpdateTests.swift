import Diagnosis
import MSAL
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

    private func typing(_ text: String) -> Model {
        text.reduce(after(listing([alice]), keys: .character("e"))) { after($0, keys: .character($1)) }
    }

    private func entry(_ model: Model) throws -> ExplainEntry { try #require(model.overlay?.as(ExplainEntry.self)) }

    /// The model after Tab, with the names of the folder that it lists.
    private func completing(_ model: Model) throws -> (folder: String, model: Model) {
        var model = model
        guard case .work(let id, .listFolder(let folder)) = update(&model, .input(.key(.tab))).first else {
            throw NothingListed()
        }
        return (folder, after(model, .result(id, .folder(.success(folderEntries)))))
    }

    private struct NothingListed: Error {}

    @Test("Enter on a folder lists it, and adds no second slash")
    func folder() throws {
        for text in ["ev", "ev/"] {
            var model = after(typing(text), keys: .enter)
            let folder = Failure(headline: "", reason: "It is a folder.", codeNames: ["folder"])
            let effects = update(&model, .result(EffectID(2), .explained(.failure(folder))))
            guard case .work(_, .listFolder("ev/")) = effects.first else { throw NothingListed() }
            #expect(try entry(model).field.text == "ev/")
        }
    }

    @Test("Tab completes a typed path of an export, and otherwise changes its kind")
    func exportPath() throws {
        var kinds = after(explaining(.success(explained)), keys: "x")
        let proposed = kinds.overlay?.as(ExportState.self)?.field.text
        #expect(update(&kinds, .input(.key(.tab))).isEmpty)
        #expect(kinds.overlay?.as(ExportState.self)?.field.text != proposed)
        let exporting = after(kinds, keys: .control("u"))
        let typed = "~/ca".reduce(exporting) { after($0, keys: .character($1)) }
        let (folder, model) = try completing(typed)
        #expect(folder == "~/" && model.overlay?.as(ExportState.self)?.field.text == "~/case 0")
        #expect(view(model, standardSize).text.contains("case 02"))
    }

    @Test("While the input is read, the dialog says so, and q closes it")
    func reading() {
        var model = after(typing("long.log"), keys: .enter)
        #expect(view(model, standardSize).text.contains("Reading the input."))
        #expect(update(&model, .input(.key(.character("q")))).contains { if case .cancel = $0 { true } else { false } })
        #expect(model.focus == .accounts)
    }

    @Test("Tab completes a name as far as it is clear, and shows the others")
    func completion() throws {
        let (folder, model) = try completing(typing("~/ca"))
        #expect(folder == "~/")
        #expect(try entry(model).field.text == "~/case 0")
        let text = view(model, standardSize).text
        #expect(text.contains("case 01.har") && text.contains("case 02.har") && !text.contains("hidden"))
        let (_, only) = try completing(after(model, keys: .character("2")))
        #expect(try entry(only).field.text == "~/case 02.har")
        let (_, none) = try completing(typing("zz"))
        #expect(view(none, standardSize).text.contains("No other name begins like this."))
    }

    @Test("A folder is listed, by Tab and by Enter, with or without its slash")
    func folders() throws {
        #expect(view(try completing(typing("~/")).model, standardSize).text.contains("Customer logs/"))
        var model = typing("./logs/")
        #expect(update(&model, .input(.key(.enter))) == [.work(EffectID(2), .listFolder("./logs/"))])
        model = typing("logs")
        #expect(update(&model, .input(.key(.enter))).count == 1)
        let report = Failure(headline: "", reason: "It is a folder.", codeNames: ["folder"])
        #expect(
            update(&model, .result(EffectID(2), .explained(.failure(report)))) == [
                .work(EffectID(3), .listFolder("logs/"))
            ])
    }

    @Test("A mistyped file keeps the field, the text and the cursor")
    func mistyped() throws {
        var model = typing("~/x.har")
        _ = update(&model, .input(.key(.enter)))
        model = after(model, .result(EffectID(2), .explained(.failure(networkReport))))
        #expect(try entry(model).field.text == "~/x.har")
        #expect(view(model, standardSize).text.contains("✗ "))
        #expect(view(after(model, keys: .backspace), standardSize).text.contains("✗ ") == false)
        model = after(model, keys: .enter)
        model = after(model, .result(EffectID(3), .explained(.success(explained))))
        #expect(view(model, standardSize).text.contains("Explanation of customer.har"))
    }

    @Test("A paste into a typed text becomes part of it; a paste alone is explained at once")
    func pasting() throws {
        var model = typing("~/")
        #expect(update(&model, .input(.paste("x.har"))).isEmpty)
        #expect(try entry(model).field.text == "~/x.har")
    }

    @Test("A paste into a dialog drops what was said about the text before")
    func pastingAfterMistake() throws {
        var model = after(explaining(.success(explained)), keys: "x")
        guard case .work(let id, .export(let export, _, _)) = update(&model, .input(.key(.enter))).first else {
            throw NothingListed()
        }
        let exists = Failure(headline: "", reason: "", codeNames: ["exists"])
        model = after(model, .result(id, .exported(export, .failure(exists))))
        #expect(view(model, standardSize).text.contains("already exists"))
        model = after(model, .input(.paste("x")))
        #expect(!view(model, standardSize).text.contains("already exists"))
    }

    @Test("The first line of an explanation is the meaning; the number is below")
    func meaningFirst() throws {
        let coded = Explained(
            name: nil,
            explanation: Explanation(
                .har, "A recording.", findings: [CheckFinding("AADSTS65004", .failed, "The user declined.")]))
        let lines = view(explaining(.success(coded)), standardSize).lines
        let first = try #require(lines.firstIndex { $0.contains("✗ The user declined.") })
        #expect(lines[first + 1].contains("AADSTS65004"))
    }

    @Test("What was ruled out is folded, and d shows the proofs")
    func unfolding() {
        let folded = explaining(.success(explained))
        let text = view(folded, standardSize).text
        #expect(text.contains("Clock, Encryption") && !text.contains("Every request used https"))
        #expect(view(after(folded, keys: .character("d")), standardSize).text.contains("Every request used https"))
        #expect(explaining(.success(explainedCode), .character("d")).notice?.text == "Nothing is folded.")
    }

    @Test("A copies the answer for whoever must act")
    func answering() {
        var model = explaining(.success(explained))
        let effects = update(&model, .input(.key(.character("A"))))
        guard case .work(_, .copy(let copied))? = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(copied.text.contains("What to do: Register exactly the URI that was sent"))
        #expect(copied.text.contains("Who must do it: you."))
        let healthy = Explained(name: nil, explanation: Explanation(.har, "A recording."))
        #expect(
            explaining(.success(healthy), .character("A")).notice?.text == "The input shows no problem to answer.")
    }

    @Test("Ctrl-O decides whether a token's issuer is asked")
    func offline() {
        for (keys, isOffline) in [([Key](), false), ([.control("o")], true), ([.control("o"), .control("o")], false)] {
            var model = keys.reduce(after(listing([alice]), keys: .character("e"))) { after($0, keys: $1) }
            let effects = update(&model, .input(.paste("evidence")))
            #expect(effects == [.work(EffectID(2), .explain("evidence", model.profile, isOffline: isOffline))])
        }
    }
}
