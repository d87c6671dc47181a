import TerminalUI

/// A list of rows: which one is selected, and what the user filters by.
struct ListPane: Sendable, Equatable {
    /// The selected row, counting only those that match the filter.
    var selection = 0
    /// See ``MovingScreen/top``.
    var top = 0
    /// Shows only the rows that contain all words of it.
    var filter = TextField()
    /// Whether the user is typing the filter.
    var isFiltering = false
    /// Whether the user moved the selection since typing. The cursor, which screen readers follow, is there then.
    private(set) var isMoved = false

    var isFiltered: Bool { isFiltering || !filter.isEmpty }

    mutating func select(row: Int, of count: Int) {
        selection = max(0, min(row, count - 1))
        isMoved = true
    }

    func extent(of count: Int, shown: @autoclosure @escaping () -> ShownList?) -> Extent {
        Extent(position: selection, last: count - 1, shown: shown())
    }

    /// The filter, or the selected row's number.
    func place(of count: Int) -> String {
        isFiltered ? "/\(filter.text)" : count == 0 ? "" : StatusPlace.text(selection, of: count)
    }

    /// A table with the selected row.
    func table(
        _ columns: [TableColumn], count: Int, showsTitles: Bool = true, emptyText: String = "",
        row: @escaping (Int) -> [Span]
    ) -> Table {
        Table(
            columns: columns, count: count, selected: selection, showsTitles: showsTitles, previousOffset: top,
            emptyText: emptyText, row: row)
    }

    // The filter.

    /// Edits the filter; returns false if the user isn't typing it, or the key doesn't edit.
    mutating func type(_ key: Key) -> Bool {
        guard isFiltering, filter.press(key) else { return false }
        resetSelection()
        return true
    }

    mutating func paste(_ text: String) {
        guard isFiltering else { return }
        filter.insert(text)
        resetSelection()
    }

    private mutating func resetSelection() {
        selection = 0
        isMoved = false
    }

    /// Shows all rows again; returns false if none was hidden.
    mutating func clearFilter() -> Bool {
        guard isFiltered else { return false }
        self = ListPane()
        return true
    }
}

/// A screen whose content is a list.
protocol ListScreen: MovingScreen, TypingScreen, PromptingScreen {
    associatedtype Row

    var pane: ListPane { get set }
    /// The rows that match the filter.
    func rows(_ context: Context) -> [Row]
    /// A row as a line, for line mode.
    func label(_ row: Row, _ context: Context) -> String
    /// The list on the screen; nil if it isn't visible.
    func shown(_ context: Context) -> ShownList?
    /// The rows that are choices themselves in line mode.
    func rowChoices(_ context: Context) -> RowChoices?
}

extension ListScreen {
    var selection: Int {
        get { pane.selection }
        set { pane.selection = newValue }
    }

    var top: Int {
        get { pane.top }
        set { pane.top = newValue }
    }

    func selected(_ context: Context) -> Row? {
        let rows = rows(context)
        return rows.indices.contains(selection) ? rows[selection] : nil
    }

    func extent(_ context: Context) -> Extent? { pane.extent(of: rows(context).count, shown: shown(context)) }

    mutating func go(to position: Int, _ context: inout Context) {
        pane.select(row: position, of: rows(context).count)
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { pane.type(key) ? Reaction.none : nil }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        pane.paste(text)
        return .none
    }

    func acceptsPaste(_ context: Context) -> Bool { pane.isFiltering }

    mutating func stepBack(_ context: inout Context) -> Bool { pane.clearFilter() }

    // Line mode.

    func rowLabels(_ context: Context) -> [String] { rows(context).map { label($0, context) } }
    func rowChoices(_ context: Context) -> RowChoices? { nil }

    /// Rows that are choices themselves are printed as choices.
    func lines(_ context: Context) -> [String] {
        ["\(title(context))."] + (rowChoices(context) == nil ? rowLines(context) : [])
    }

    func question(_ context: Context) -> LineQuestion? { pane.isFiltering ? LineQuestion(prompt: "Filter") : nil }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        pane = ListPane()
        pane.filter.insert(text)
        return .none
    }
}
