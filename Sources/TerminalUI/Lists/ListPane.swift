/// A list of rows: which one is selected, and what the user filters by.
package struct ListPane: Sendable, Equatable {
    /// The selected row, counting only those that match the filter.
    package var selection = 0
    /// The first visible line when the selection last moved. Lists scroll only as far as needed.
    package var top = 0
    /// Shows only the rows that contain all words of it.
    package var filter = TextField()
    package var isFiltering = false
    /// Whether the user moved the selection since typing. The cursor, which screen readers follow, is there then.
    package private(set) var isMoved = false

    package init(selection: Int = 0, isFiltering: Bool = false) {
        (self.selection, self.isFiltering) = (selection, isFiltering)
    }

    package var isFiltered: Bool { isFiltering || !filter.isEmpty }

    package mutating func select(row: Int, of count: Int) {
        selection = max(0, min(row, count - 1))
        isMoved = true
    }

    package func extent(of count: Int, shown: @autoclosure @escaping () -> ShownList?) -> Extent {
        Extent(position: selection, last: count - 1, shown: shown())
    }

    package func place(of count: Int) -> String {
        isFiltered ? "/\(filter.text)" : count == 0 ? "" : StatusPlace.text(selection, of: count)
    }

    package func table(
        _ columns: [TableColumn], count: Int, showsTitles: Bool = true, emptyText: String = "",
        row: @escaping (Int) -> [Span]
    ) -> Table {
        Table(
            columns: columns, count: count, selected: selection, showsTitles: showsTitles, previousOffset: top,
            emptyText: emptyText, row: row)
    }

    /// A table whose columns are as wide as their cells, at most.
    package func table(_ columns: [TableColumn], fitting rows: [[Span]], emptyText: String) -> Table {
        let fitting = columns.enumerated().map { index, column in
            column.fitting(([column.title] + rows.map { $0[index].text }).map(DisplayWidth.of).max() ?? 0)
        }
        return table(fitting, count: rows.count, emptyText: emptyText) { rows[$0] }
    }

    /// Edits the filter; returns false if the user isn't typing it, or the key doesn't edit.
    package mutating func type(_ key: Key) -> Bool {
        guard isFiltering, filter.press(key) else { return false }
        resetSelection()
        return true
    }

    package mutating func paste(_ text: String) {
        guard isFiltering else { return }
        filter.insert(text)
        resetSelection()
    }

    private mutating func resetSelection() { (selection, isMoved) = (0, false) }

    /// Shows all rows again; returns false if none was hidden.
    package mutating func clearFilter() -> Bool {
        guard isFiltered else { return false }
        self = ListPane()
        return true
    }
}
