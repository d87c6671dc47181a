/// The visible rows of a list. The selected row is always among them.
package struct ListWindow: Sendable, Hashable {
    package let rows: Range<Int>

    /// - Parameter previousOffset: the previous first row. The list scrolls only as far as needed.
    package init(count: Int, selected: Int, height: Int, previousOffset: Int = 0) {
        let visible = max(0, min(count, height))
        guard visible > 0 else {
            rows = 0..<0
            return
        }
        let row = min(max(0, selected), count - 1)
        let first = min(max(previousOffset, row - visible + 1), row)
        let offset = min(max(0, first), count - visible)
        rows = offset..<offset + visible
    }

    /// The screen row of list row `index`, counted from the window's top.
    package func position(of index: Int) -> Int? {
        rows.contains(index) ? index - rows.lowerBound : nil
    }
}
