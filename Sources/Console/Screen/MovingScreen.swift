import TerminalUI

/// A screen with a list or a text to move through; usually a ``ListScreen`` or a ``TextScreen``.
protocol MovingScreen: ConsoleScreen {
    /// The first visible line of the list when the selection last moved. Lists scroll only as far as needed.
    var top: Int { get set }
    /// The extent of the list or text; nil if there's nothing to move through.
    func extent(_ context: Context) -> Extent?
    /// Moves to a row of the list or a line of the text, within bounds.
    mutating func go(to position: Int, _ context: inout Context)
    /// Selects a row by number or mouse.
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

    /// The rows as a list, for ``lines(_:)``.
    func rowLines(_ context: Context) -> [String] { rowLabels(context).map { "- \($0)" } }

    /// The list with the selection, if it's visible.
    func shownList(_ context: Context) -> ShownList? {
        Frame.fits(context.size) ? extent(context)?.shown() : nil
    }

    /// Moves the selection. Paging scrolls the whole list, so that the selection stays on its screen row.
    mutating func move(_ motion: Motion, _ context: inout Context) {
        guard let extent = extent(context) else { return }
        let shown = Frame.fits(context.size) ? extent.shown() : nil
        if let shown { top = max(0, shown.first + motion.turn(of: shown.area.height)) }
        go(to: motion.applied(to: extent, page: extent.page ?? shown?.area.height ?? 1), &context)
    }
}

extension MovingScreen {
    /// Up and down, with keys that fit the screen.
    static func upAndDown(_ up: [Key], _ down: [Key], hint: String? = nil) -> [Command] {
        [
            motion("up", up, "Go up one row.", .up), motion("down", down, "Go down one row.", hint: hint, .down),
        ]
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

    /// All commands to move through a list.
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
