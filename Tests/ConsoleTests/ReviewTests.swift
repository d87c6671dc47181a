import Diagnosis
import Testing

@testable import Console
@testable import TerminalUI

@Suite("Review of a redacted copy")
struct ReviewTests {
    private func review(_ model: Model) -> ReviewState? {
        model.screens.lazy.compactMap { $0.as(ReviewState.self) }.last
    }

    @Test("A key keeps a value, at all its places, and hides it again")
    func keeps() throws {
        let model = reviewing(.success(reviewedCopy), .down)
        let item = try #require(review(model)?.selectedValue(model.context)).item
        #expect(item.kind == "host" && item.text == "vpn.contoso.example")
        var shown = Redaction.Choices().reviewed
        shown.shown = [item]
        let (changed, effects) = updated(model, .input(.key(.character(" "))))
        #expect(effects == [.review(EffectID(4), "customer.har", shown, model.context.profile)])
        let copy = ReviewedCopy(
            name: "customer.log", copy: Redaction(lines: Array(reviewedCopy.copy.review.lines[1].original.utf8), shown))
        #expect(copy.copy.text.contains("https://vpn.contoso.example:443"))
        let next = after(changed, .reviewed(EffectID(4), .success(copy)), .input(.key(.home)))
        let again = updated(next, .input(.key(.character(" ")))).effects
        #expect(again == [.review(EffectID(5), "customer.har", .init().reviewed, model.context.profile)])
    }

    @Test("A value that the rules keep can be hidden")
    func hides() throws {
        let model = reviewing(.success(reviewedCopy))
        let value = try #require(review(model)?.selectedValue(model.context))
        #expect(value.item.kind == "request ID" && !value.isHidden)
        var hidden = Redaction.Choices().reviewed
        hidden.hidden = [value.item]
        let effects = updated(model, .input(.key(.character(" ")))).effects
        #expect(effects == [.review(EffectID(4), "customer.har", hidden, model.context.profile)])
    }

    @Test("The export has the choices, and offers the case as an archive and as a folder")
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
        guard case .export(_, let export, replaces: false, _) = effects.first else { return nil }
        return export
    }
}
