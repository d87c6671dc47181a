import TerminalUI
import Testing

@testable import Console

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

    /// Each list of the program, with several rows.
    static let lists: [(String, Model)] = [
        ("accounts", listing(manyAccounts(30))),
        ("groups of accounts", listing(wideAccounts + [alice, bob, carol])),
        ("claims", showingClaims()),
        ("two tokens", after(showingClaims(), keys: .character("="))),
        ("the form of a sign-in", after(listing([alice]), keys: .character("o"))),
        ("steps", inspecting()),
        ("parameters", inspecting(keys: .enter)),
        ("check", pressing(.home, in: checking())),
        ("providers", unconfigured()),
        ("profiles", pressing(.character("P"), in: listing([alice]))),
        ("scenarios", after(listing([], walkProfile), keys: .character("w"))),
        ("palette", after(listing([alice]), keys: .character(":"))),
    ]

    @Test("A click selects the row under it, on every list", arguments: lists)
    func everyList(name: String, model: Model) throws {
        let below = after(model, keys: .down)
        let lines = view(below, below.size).lines
        let row = try #require(lines.firstIndex { $0.contains(Glyphs.unicode.pointer) })
        let line = lines[row]
        let place = try #require(line.range(of: Glyphs.unicode.pointer))
        let x = DisplayWidth.of(String(line[..<place.lowerBound])) + 3
        #expect(below != model)
        #expect(after(model, mouse(.press, x, row)) == below)
        #expect(after(below, mouse(.press, x, row)) == below)
    }

    @Test func aDoubleClickOpensTheRow() {
        let listed = listing(manyAccounts(30))
        let third = after(listed, mouse(.press, 10, 6))
        #expect(after(third, mouse(.doublePress, 10, 6)) == after(third, keys: .enter))
        #expect(after(third, mouse(.doublePress, 10, 6)) != third)
    }

    @Test("A click elsewhere changes nothing", arguments: [(0, 0), (10, 2), (63, 23), (300, 300)])
    func elsewhere(x: Int, y: Int) {
        let model = listing([alice, bob])
        #expect(after(model, mouse(.press, x, y)) == model)
    }

    @Test func theWheelScrollsLikeTheArrowKeys() {
        let model = listing(manyAccounts(30))
        #expect(after(model, mouse(.wheelDown, 0, 0)) == after(model, keys: .down, .down, .down))
        #expect(after(after(model, mouse(.wheelDown, 0, 0)), mouse(.wheelUp, 0, 0)) == model)
        let help = after(model, keys: .character("?"))
        #expect(after(help, mouse(.wheelDown, 0, 0)) == after(help, keys: .down, .down, .down))
    }

    /// The position of a hint in the status line.
    private func column(_ text: String, _ model: Model) throws -> Int {
        let line = try #require(view(model, model.size).lines.last)
        let place = try #require(line.range(of: text))
        return DisplayWidth.of(String(line[..<place.lowerBound]))
    }

    @Test(
        "A click on a hint does what its key does",
        arguments: [("o options", Key.character("o")), ("/ filter", .character("/")), ("? help", .character("?"))])
    func hints(text: String, key: Key) throws {
        let model = listing([alice, bob], size: Size(width: 160, height: 24))
        let start = try column(text, model)
        for x in start..<start + text.count {
            #expect(after(model, mouse(.press, x, 23)) == after(model, keys: key), "\(x)")
        }
        #expect(after(model, mouse(.press, start - 1, 23)) == model)
    }

    @Test(
        "A click on a tab does what its number does",
        arguments: [
            ("claims", showingClaims(), " 2 Access token", Key.character("2")),
            ("a scenario", after(listing([], walkProfile), keys: .character("n")), " 3 App", .character("3")),
        ])
    func tabs(name: String, model: Model, title: String, key: Key) throws {
        let row = try #require(view(model, standardSize).lines.firstIndex { $0.contains(title) })
        let line = view(model, standardSize).lines[row]
        let start = DisplayWidth.of(String(line[..<(try #require(line.range(of: title))).lowerBound]))
        for x in start..<start + title.count {
            #expect(after(model, mouse(.press, x, row)) == after(model, keys: key), "\(x)")
        }
        #expect(after(model, keys: key) != model)
        #expect(after(model, mouse(.press, start - 1, row)) == model)
    }

    @Test func aClickOnAHintWorksOnEveryScreen() throws {
        let help = after(listing([alice]), keys: .character("?"))
        #expect(after(help, mouse(.press, try column("Esc close", help), 23)).overlay == nil)
        let failure = showingFailure(networkReport)
        #expect(after(failure, mouse(.press, try column("r try again", failure), 23)).focus == .signIn)
    }

    @Test func theWheelScrollsTheDetailsUnderIt() throws {
        let model = inspecting(keys: .down, .down)
        let details = try #require(
            view(model, standardSize).lines.lastIndex { $0.contains("Authorization request  ") })
        let over = after(model, mouse(.wheelDown, 10, details + 1))
        #expect(over.inspector?.selection == model.inspector?.selection)
        #expect(over.inspector?.detailsTop == 3)
        let above = try #require(after(model, mouse(.wheelDown, 10, 4)).inspector)
        #expect(above.selection != model.inspector?.selection)
    }

    @Test func aDialogTakesKeysOnly() throws {
        let model = after(listing([alice]), keys: .character("D"))
        #expect(after(model, mouse(.press, 40, 12)) == model)
        #expect(after(model, mouse(.press, try column("y this computer", model), 23)) == model)
        #expect(after(model, mouse(.wheelDown, 40, 12)) == model)
    }
}
