import TerminalUI
import Testing

@Suite struct AnySizeTests {
    private static let text =
        "Remove 山田太郎@contoso.example? \u{1F468}\u{200D}\u{1F469} Its tokens are deleted here.\nNext line."

    /// Draws every widget over each other.
    private func drawAll(on surface: inout Surface, in rect: Rect) {
        surface.drawBox(rect, title: Self.text)
        Table(columns: LayoutTests.accounts, count: 9, selected: 7) { _ in WidgetTests.people[1] }
            .draw(on: &surface, in: rect)
        Table(columns: LayoutTests.accounts, count: 0, selected: 0, emptyText: Self.text) { _ in [] }
            .draw(on: &surface, in: rect.inset(horizontal: 1, vertical: 1))
        let facts = StyledLine.facts([("山田", Self.text), (Self.text, "x")], width: rect.width, glyphs: .unicode)
        ScrollingText(facts, offset: 1).draw(on: &surface, in: rect)
        StatusLine(hints: WidgetTests.hints + [.init("x", Self.text)])
            .draw(on: &surface, in: rect.splitBottom(1).bottom)
        Dialog(title: Self.text, message: Self.text, buttons: [.init("取消"), .init("Remove")], focused: 1)
            .draw(on: &surface, in: rect)
    }

    @Test("Every widget draws at every size, and its wide characters stay whole", arguments: 0...44)
    func everySize(width: Int) {
        for height in 0...9 {
            var surface = Surface(size: Size(width: width, height: height))
            drawAll(on: &surface, in: surface.bounds)
            for y in 0..<height {
                let row = Array(surface.row(y))
                #expect(row.reduce(0) { $0 + $1.width } == width)
                for (x, cell) in row.enumerated() {
                    #expect(cell.isContinuation == (x > 0 && row[x - 1].width == 2), "\(width)x\(height) at \(x),\(y)")
                }
            }
        }
    }

    @Test("Nothing is drawn outside a widget's rectangle")
    func withinRect() {
        let rect = Rect(x: 5, y: 2, width: 20, height: 4)
        var surface = Surface(size: Size(width: 30, height: 8))
        for y in 0..<8 { surface.write(String(repeating: "#", count: 30), at: Point(x: 0, y: y)) }
        drawAll(on: &surface, in: rect)
        for y in 0..<8 {
            for x in 0..<30 where !rect.contains(Point(x: x, y: y)) {
                #expect(surface[Point(x: x, y: y)].text == "#", "at \(x),\(y)")
            }
        }
    }
}
