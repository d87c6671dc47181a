import Console
import TerminalUI
import Testing

@Suite("The mouse")
struct MouseTests {
    private func mouse(_ kind: MouseEvent.Kind, _ x: Int, _ y: Int) -> Message {
        .input(.mouse(MouseEvent(kind, at: Point(x: x, y: y))))
    }

    @Test func aClickSelectsTheRowUnderIt() throws {
        let model = listing(manyAccounts(30))
        let row = try #require(view(model, standardSize).lines.firstIndex { $0.contains("person7@") })
        #expect(after(model, mouse(.press, 10, row)).accounts.selected?.username == "person7@contoso.example")
    }

    @Test("A click elsewhere changes nothing", arguments: [(0, 0), (10, 2), (10, 23), (300, 300)])
    func elsewhere(x: Int, y: Int) {
        let model = listing([alice, bob])
        #expect(after(model, mouse(.press, x, y)) == model)
    }

    @Test func theWheelScrollsAsTheArrowsDo() {
        let model = listing(manyAccounts(30))
        #expect(after(model, mouse(.wheelDown, 0, 0)) == after(model, keys: .down, .down, .down))
        #expect(after(after(model, mouse(.wheelDown, 0, 0)), mouse(.wheelUp, 0, 0)) == model)
        let help = after(model, keys: .character("?"))
        #expect(after(help, mouse(.wheelDown, 0, 0)) == after(help, keys: .down, .down, .down))
    }

    @Test func aDialogIsAnsweredByKeysAlone() {
        let model = after(listing([alice]), keys: .character("D"))
        #expect(after(model, mouse(.press, 40, 12)) == model)
        #expect(after(model, mouse(.wheelDown, 40, 12)) == model)
    }
}
