import TerminalUI

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

/// A list screen that one view draws.
protocol ViewedScreen: ListScreen {
    associatedtype View: ListView

    func view(_ context: Context) -> View
}

extension ViewedScreen {
    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        view(context).draw(on: &surface, in: rect)
    }

    func shown(_ context: Context) -> ShownList? { view(context).shown(in: context.frame.body) }
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

    func selected(_ context: Context) -> Row? { rows(context)[at: selection] }

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
