import Diagnosis
import Testing

@testable import Console
@testable import TerminalUI

@Suite("Review of a redacted copy")
struct ReviewTests {
    @Test("The copy that the command reviews, and its export, hide what the command hides")
    func hides() {
        var options = ProgramOptions()
        (options.reviewed, options.hiddenTexts) = ("customer.har", ["Fabrikam"])
        let start = Model(profile, options: options, size: standardSize)
        let (model, effects) = updated(start, .started)
        #expect(
            effects.contains(.work(EffectID(2), .review("customer.har", hiding: ["Fabrikam"], model.context.profile))),
            "\(effects)")
        let shown = after(model, .result(EffectID(2), .reviewed(.success(reviewedCopy))), .input(.key(.character("x"))))
        let export = export(updated(shown, .input(.key(.enter))).effects)
        #expect(export?.content == .redactedCopy(of: "customer.har", hiding: ["Fabrikam"]))
    }

    @Test("The export offers the copy, and the case as an archive and as a folder")
    func exports() throws {
        let model = after(reviewing(.success(reviewedCopy)), .input(.key(.character("x"))))
        #expect(model.focus == .export)
        let effects = updated(after(model, .input(.key(.tab))), .input(.key(.enter))).effects
        let effectsExport = try #require(export(effects))
        #expect(effectsExport.path == "./customer-case.zip" && effectsExport.content == .caseFiles(of: "customer.har"))
        let folder = updated(after(model, .input(.key(.tab)), .input(.key(.tab))), .input(.key(.enter))).effects
        let folderExport = try #require(export(folder))
        #expect(folderExport.path == "./customer-case")
    }

    private func updated(_ model: Model, _ message: Message) -> (model: Model, effects: [Effect]) {
        var model = model
        let effects = update(&model, message)
        return (model, effects)
    }

    private func export(_ effects: [Effect]) -> Export? {
        guard case .work(_, .export(let export, replaces: false, _)) = effects.first else { return nil }
        return export
    }
}
