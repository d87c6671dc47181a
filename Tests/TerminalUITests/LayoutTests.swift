import TerminalUI
import Testing

@Suite struct LayoutTests {
    static let accounts = [
        TableColumn("Name", minimum: 10, ideal: 24, priority: 1),
        TableColumn("Username", minimum: 24, ideal: 32, priority: 0, grows: true),
        TableColumn("Tenant", minimum: 12, ideal: 20, priority: 3),
        TableColumn("Token", minimum: 12, ideal: 14, priority: 2, alignment: .trailing),
    ]

    @Test(
        "Columns drop by priority as the table narrows",
        arguments: [
            (120, ["Name 0+24", "Username 26+56", "Tenant 84+20", "Token 106+14"]),
            (80, ["Name 0+18", "Username 20+32", "Tenant 54+12", "Token 68+12"]),
            (60, ["Name 0+12", "Username 14+32", "Token 48+12"]),
            (40, ["Name 0+10", "Username 12+28"]),
            (20, ["Username 0+20"]), (8, ["Username 0+8"]),
        ])
    func table(width: Int, expected: [String]) {
        let layout = TableLayout(Self.accounts, width: width)
        #expect(layout.placements.map { "\(Self.accounts[$0.column].title) \($0.x)+\($0.width)" } == expected)
    }

    @Test("A column gives away the room that its content doesn't need")
    func fitting() {
        let columns = zip(Self.accounts, [4, 40, 9, 0]).map { $0.fitting($1) }
        let layout = TableLayout(columns, width: 60)
        #expect(layout.placements.map { "\($0.x)+\($0.width)" } == ["0+4", "6+40", "48+9", "59+1"])
    }

    @Test("Columns never overlap nor leave the table, at any width", arguments: 0...160)
    func tableFits(width: Int) {
        let layout = TableLayout(Self.accounts, width: width)
        for (left, right) in zip(layout.placements, layout.placements.dropFirst()) {
            #expect(left.x + left.width + TableLayout.gap == right.x)
        }
        #expect(layout.placements.allSatisfy { $0.width >= 0 && $0.x + $0.width <= width })
    }

    @Test(
        "The list starts at its first row",
        arguments: [
            ("in view", 20, 3, 0..<5), ("one below", 20, 5, 1..<6), ("the last", 12, 11, 7..<12),
            ("all fit", 4, 2, 0..<4), ("beyond the end", 12, 99, 7..<12), ("before the start", 12, -3, 0..<5),
            ("nothing", 0, 0, 0..<0),
        ])
    func atFirst(name: String, count: Int, selected: Int, rows: Range<Int>) {
        #expect(ListWindow(count: count, selected: selected, height: 5).rows == rows)
    }

    @Test(
        "The list scrolls no further than necessary",
        arguments: [
            ("in view", 4, 2, 2..<7), ("one below", 7, 2, 3..<8), ("one above", 1, 2, 1..<6), ("shrunk", 9, 40, 9..<14),
        ])
    func scrolled(name: String, selected: Int, offset: Int, rows: Range<Int>) {
        #expect(ListWindow(count: 20, selected: selected, height: 5, previousOffset: offset).rows == rows)
    }

    @Test("The selected row is visible at any size")
    func selectedInView() {
        for count in 1...12 {
            for height in 1...12 {
                for selected in 0..<count {
                    for offset in [0, 3, 50] {
                        let window = ListWindow(
                            count: count, selected: selected, height: height, previousOffset: offset)
                        #expect(window.rows.contains(selected))
                        #expect(window.rows.count == min(count, height))
                    }
                }
            }
        }
    }

    @Test("Splits share the available space and never more")
    func splits() {
        let rect = Rect(x: 2, y: 3, width: 10, height: 4)
        #expect(rect.splitTop(1).rest == Rect(x: 2, y: 4, width: 10, height: 3))
        #expect(rect.splitBottom(1).bottom == Rect(x: 2, y: 6, width: 10, height: 1))
        #expect(rect.splitLeft(4).rest == Rect(x: 6, y: 3, width: 6, height: 4))
        #expect(rect.splitRight(4).right == Rect(x: 8, y: 3, width: 4, height: 4))
        #expect(rect.splitTop(9).rest.isEmpty)
        #expect(rect.inset(horizontal: 1, vertical: 9) == Rect(x: 3, y: 5, width: 8, height: 0))
        #expect(rect.centered(Size(width: 4, height: 2)) == Rect(x: 5, y: 4, width: 4, height: 2))
    }
}
