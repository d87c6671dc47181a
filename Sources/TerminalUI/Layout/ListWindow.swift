/// Which rows of a list are on screen. The selected row always is.
package struct ListWindow: Sendable, Hashable {
    package let rows: Range<Int>

    /// - Parameter previousOffset: the first row shown before: the list moves no further than it has to.
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

    /// The row of the screen, from the window's top, that shows `index`.
    package func position(of index: Int) -> Int? {
        rows.contains(index) ? index - rows.lowerBound : nil
    }
}
