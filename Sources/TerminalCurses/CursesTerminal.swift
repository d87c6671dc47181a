import CNcurses
import KeyturnSystem
import TerminalUI

/// Draws frames on the terminal with ncurses. Not thread-safe.
struct CursesTerminal {
    private var shown: Surface?
    private var theme = ColorTheme.mono
    private var display: ScreenDisplay
    private let hasLinks, hasColor: Bool
    private var background: TerminalBackground?
    /// The colour pairs of the theme, by looks without attributes.
    private var pairs: [ColorTheme.Look: Int] = [:]

    init(
        name: String, input: Int32, output: Int32, display: ScreenDisplay, background: TerminalBackground?,
        hasColor: Bool
    ) throws(CursesScreenFailure) {
        hasLinks = Hyperlink.isPossible(on: name)
        (self.display, self.background, self.hasColor) = (display, background, hasColor)
        guard term_open(name, input, output) == 0 else {
            // ncurses doesn't tell why it found no entry.
            throw SystemLimit.nearlyMet.map(CursesScreenFailure.limit) ?? .terminalUnknown(name)
        }
        use(display)
        if isRequested { send(TerminalBackground.question) }
    }

    /// Whether the terminal was asked for its background. What ignores no links would print the question.
    var isRequested: Bool { hasColor && hasLinks }

    /// Returns whether the colours are others.
    mutating func use(_ background: TerminalBackground) -> Bool {
        let before = theme
        self.background = background
        use(display)
        return theme != before
    }

    mutating func use(_ display: ScreenDisplay) {
        self.display = display
        term_use_mouse(display.usesMouse ? 1 : 0)
        let ground = term_colors() >= 256 ? background : nil
        theme =
            hasColor && term_colors() >= 8
            ? ColorTheme(display.theme, on: ground, own: display.colors, of: Int(term_colors())) : .mono
        term_set_background(0)
        pairs = [:]
        guard !theme.isMonochrome else { return }
        for look in Role.allCases.map({ theme.look(of: Style($0)).withoutAttributes }) where pairs[look] == nil {
            guard let color = look.color else { continue }
            let pair = pairs.count + 1
            pairs[look] = pair
            term_define_pair(Int32(pair), Int32(color), Int32(look.background ?? -1))
        }
        // Blank cells that stay blank aren't sent, so the theme's background must be set first.
        term_set_background(pair(of: theme.look(of: .text)))
    }

    /// 0 is the pair of the terminal's own colours.
    private func pair(of look: ColorTheme.Look) -> Int32 { Int32(pairs[look.withoutAttributes] ?? 0) }

    var size: Size { Size(width: Int(term_columns()), height: Int(term_rows())) }

    mutating func draw(_ surface: Surface) {
        let size = size
        if shown?.size != surface.size { term_erase() }
        let changes = surface.changes(since: shown)
        for (point, cell) in changes where point.x + cell.width <= size.width {
            guard point.y < size.height else { break }
            put(cell, at: point)
        }
        if hasLinks, let link = surface.link,
            shown?.link != link || changes.contains(where: { $0.cell.style.role == .link })
        {
            draw(link, of: surface, in: size)
        }
        shown = surface
        place(surface.cursor, in: size)
        term_refresh()
    }

    /// Draws the cells of a link, which ncurses doesn't know: all that it sends between start and end belongs to the link. The
    /// cells are blank before, so that it sends each of them.
    private func draw(_ link: String, of surface: Surface, in size: Size) {
        let visible = surface.cells(in: .link).filter { $0.x < size.width && $0.y < size.height }
        for point in visible { put(.blank, at: point) }
        term_refresh()
        for point in visible { put(surface[point], at: point) }
        send(Hyperlink.start(of: link))
        term_refresh()
        send(Hyperlink.end)
    }

    mutating func resize() -> Size {
        term_resize()
        shown = nil
        return size
    }

    /// Sends a sequence that draws nothing.
    func send(_ sequence: String) { term_send(sequence) }

    private func put(_ cell: Cell, at point: Point) {
        let look = theme.look(of: cell.style)
        let scalars = cell.text.unicodeScalars.map(\.value)
        term_put(
            Int32(point.y), Int32(point.x), scalars, Int32(scalars.count), Int32(cell.width),
            look.attributes.cursesBits, pair(of: look))
    }

    /// Places the cursor; nil hides it in the last cell.
    private func place(_ cursor: Surface.Cursor?, in size: Size) {
        guard let cursor, cursor.position.x < size.width, cursor.position.y < size.height else {
            return term_move_cursor(Int32(max(0, size.height - 1)), Int32(max(0, size.width - 1)), 0)
        }
        term_move_cursor(Int32(cursor.position.y), Int32(cursor.position.x), cursor.isVisible ? 1 : 0)
    }
}

extension ColorTheme.Look {
    fileprivate var withoutAttributes: Self {
        var look = self
        look.attributes = []
        return look
    }
}

extension Style.Attributes {
    fileprivate var cursesBits: Int32 {
        let bits: [(Style.Attributes, Int)] = [
            (.bold, TERM_ATTRIBUTE_BOLD), (.dim, TERM_ATTRIBUTE_DIM), (.reverse, TERM_ATTRIBUTE_REVERSE),
            (.underline, TERM_ATTRIBUTE_UNDERLINE),
        ]
        return Int32(bits.reduce(0) { contains($1.0) ? $0 | $1.1 : $0 })
    }
}
