import TerminalUI
import Testing

@testable import Console

@Suite("Enlarging a pane")
struct ZoomTests {
    @Test(
        "+ gives the details most of the screen, at each size, and the list keeps the selected row",
        arguments: [Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 40, height: 13)])
    func details(size: Size) {
        let usual = after(showingClaims(size: size), keys: .down, .down, .down)
        let zoomed = after(usual, keys: "+")
        let rule = view(zoomed, size).lines.dropFirst(3).firstIndex { $0.contains("──────────") }
        #expect(rule.map { $0 < max(9, size.height / 2) } == true, "\(view(zoomed, size).text)")
        #expect(view(zoomed, size).text.contains("›"))
        #expect(view(after(zoomed, keys: "+"), size) == view(usual, size))
    }

    @Test("In a scenario, + shows the selected pane alone, also in a wide window")
    func scenario() {
        let size = Size(width: 120, height: 40)
        let model = after(after(ticked(playing(), 27), .input(.resize(size))), keys: "4")
        let (usual, zoomed) = (view(model, size).text, view(after(model, keys: "+"), size).text)
        #expect(zoomed.contains("[4 Steps]") && !usual.contains("[4 Steps]"))
        #expect(view(after(model, keys: "+", "+"), size).text == usual)
    }

    @Test("An enlarged pane of a scenario says how to shrink it, which Esc does before it leaves")
    func restoring() {
        for size in [standardSize, Size(width: 120, height: 40), Size(width: 40, height: 12)] {
            let usual = ticked(playing(size: size), 60)
            let zoomed = after(usual, keys: "+")
            let footer = view(zoomed, size).lines.last ?? ""
            #expect(footer.contains("+ shrink") && footer.contains("? help"), "\(footer)")
            #expect(view(after(zoomed, keys: .escape), size) == view(usual, size))
            #expect(after(zoomed, keys: .escape, .escape).notice?.text.contains("again to leave") == true)
        }
    }

    private func isOffered(_ model: Model) -> Bool {
        model.newest(WalkState.self)?.entry("scrollDown", model.context)?.isHinted == true
    }

    @Test("In a scenario, J is offered only where it scrolls, and each text can be read to its end")
    func scrolling() throws {
        for size in [
            standardSize, Size(width: 120, height: 40), Size(width: 40, height: 12), Size(width: 60, height: 20),
        ] {
            let shown = ticked(playing(size: size), 60)
            for keys in ["1", "2", "3", "4", "1+", "2+", "3+", "4+"] {
                var model = keys.reduce(shown) { after($0, keys: .character($1)) }
                for _ in 0..<20 where isOffered(model) {
                    let before = view(model, size).text
                    model = after(model, keys: "J")
                    #expect(view(model, size).text != before, "\(size) \(keys)\n\(before)")
                }
                #expect(view(after(model, keys: "J"), size).text == view(model, size).text, "\(size) \(keys)")
            }
            let note = try #require(shown.context.walk?.shownStep?.look.split(separator: " ").last)
            let steps = (0..<9).reduce(into: [after(shown, keys: "4")]) { models, _ in
                models.append(after(models[models.count - 1], keys: "J"))
            }
            #expect(steps.contains { view($0, size).text.contains(note) }, "\(size)")
        }
    }
}
