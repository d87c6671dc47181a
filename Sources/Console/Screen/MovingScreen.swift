import TerminalUI

/// A screen with a list or a text to move through; usually a ``ListScreen`` or a ``TextScreen``.
protocol MovingScreen: ConsoleScreen {
    /// The first visible line of the list when the selection last moved. Lists scroll only as far as needed.
    var top: Int { get set }
    /// The extent of the list or text; nil if there's nothing to move through.
    func extent(_ context: Context) -> Extent?
    /// Moves to a row of the list or a line of the text, within bounds.
    mutating func go(to position: Int, _ context: inout Context)
    mutating func select(row: Int, _ context: inout Context)
    /// The text at the left of the status line.
    func place(_ context: Context) -> String
    /// The rows of the list, each as a line to choose by number in line mode.
    func rowLabels(_ context: Context) -> [String]
}

extension MovingScreen {
    /// For a list that is laid out around its selection.
    var top: Int {
        get { 0 }
        set {}
    }

    mutating func select(row: Int, _ context: inout Context) { go(to: row, &context) }
    func place(_ context: Context) -> String { "" }
    func rowLabels(_ context: Context) -> [String] { [] }

    func rowLines(_ context: Context) -> [String] { rowLabels(context).map { "- \($0)" } }

    func shownList(_ context: Context) -> ShownList? { Frame.fits(context.size) ? extent(context)?.shown() : nil }

    /// Moves the selection. Paging scrolls the whole list, so that the selection stays on its screen row.
    mutating func move(_ motion: Motion, _ context: inout Context) {
        guard let extent = extent(context) else { return }
        let shown = Frame.fits(context.size) ? extent.shown() : nil
        if let shown { top = max(0, shown.first + motion.turn(of: shown.area.height)) }
        go(to: motion.applied(to: extent, page: extent.page ?? shown?.area.height ?? 1), &context)
    }

    /// Up and down, with keys that fit the screen.
    static func upAndDown(_ up: [Key], _ down: [Key], hint: String? = nil) -> [Command] {
        [motion("up", up, "Go up one row.", .up), motion("down", down, "Go down one row.", hint: hint, .down)]
    }

    static var paging: [Command] {
        [
            motion("pageUp", [.pageUp], "Go up one page.", .pageUp),
            motion("pageDown", [.pageDown], "Go down one page.", .pageDown),
        ]
    }

    static var limits: [Command] {
        [
            motion("first", [.home, .character("g")], "Go to the first row.", .first),
            motion("last", [.end, .character("G")], "Go to the last row.", .last),
        ]
    }

    /// - Parameter pages: whether the keys for pages have this meaning.
    static func moving(pages: Bool = true) -> [Command] {
        upAndDown([.up, .character("k")], [.down, .character("j")]) + (pages ? paging : []) + [
            motion("halfPageUp", [.control("u")], "Go up half a page.", .halfPageUp),
            motion("halfPageDown", [.control("d")], "Go down half a page.", .halfPageDown),
        ] + limits
    }

    private static func motion(
        _ name: CommandName, _ keys: [Key], _ sentence: String, hint: String? = nil, _ motion: Motion
    ) -> Command {
        Command(name, keys, sentence, hint: hint, group: .moving, inLines: .absent) { screen, context in
            screen.move(motion, &context)
            return .none
        }
    }
}

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

    mutating func go(to position: Int, _ context: inout Context) { pane.select(row: position, of: rows(context).count) }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? { pane.type(key) ? Reaction.none : nil }

    mutating func paste(_ text: String, _ context: inout Context) -> Reaction {
        pane.paste(text)
        return .none
    }

    func acceptsPaste(_ context: Context) -> Bool { pane.isFiltering }

    mutating func stepBack(_ context: inout Context) -> Bool { pane.clearFilter() }

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

protocol TextScreen: MovingScreen {
    var pane: TextPane { get set }
    func text(in area: Rect, _ context: Context) -> [StyledLine]
}

extension TextScreen {
    var top: Int {
        get { pane.top }
        set { pane.top = newValue }
    }

    func extent(_ context: Context) -> Extent? {
        let area = context.frame.body
        return pane.extent(of: text(in: area, context), in: area)
    }

    mutating func go(to position: Int, _ context: inout Context) { pane.top = position }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        pane.draw(text(in: rect, context), on: &surface, in: rect)
    }
}
