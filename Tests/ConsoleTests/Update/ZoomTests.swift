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
}
