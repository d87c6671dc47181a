import CNcurses
import KeyturnSystem
import TerminalUI

/// Draws frames on the terminal with ncurses. Not thread-safe.
struct CursesTerminal {
    private var shown: Surface?
    private var theme = ColorTheme.mono
    private let hasLinks: Bool

    /// The first colour pair; 0 is the terminal's default.
    private static let firstPair = 1

    init(name: String, input: Int32, output: Int32, display: ScreenDisplay, hasColor: Bool)
        throws(CursesScreenFailure)
    {
        hasLinks = Hyperlink.isPossible(on: name)
        guard term_open(name, input, output) == 0 else {
            // ncurses doesn't tell why it found no entry.
            throw SystemLimit.nearlyMet.map(CursesScreenFailure.limit) ?? .terminalUnknown(name)
        }
        use(display, hasColor: hasColor)
    }

    /// Uses another theme from the next frame on, with or without the mouse.
    mutating func use(_ display: ScreenDisplay, hasColor: Bool) {
        term_use_mouse(display.usesMouse ? 1 : 0)
        theme = hasColor && term_colors() >= 8 ? ColorTheme(display.theme) : .mono
        term_set_background(0)
        guard !theme.isMonochrome else { return }
        for background in ColorTheme.backgrounds {
            for color in 0..<8 {
                term_define_pair(Int32(Self.pair(color, on: background)), Int32(color), Int32(background ?? -1))
            }
        }
        // Blank cells that stay blank aren't sent, so the theme's background must be set first.
        let text = theme.look(of: .text)
        if let color = text.color { term_set_background(Int32(Self.pair(color, on: text.background))) }
    }

    var size: Size { Size(width: Int(term_columns()), height: Int(term_rows())) }

    /// Draws the changes since the previous frame. Clips a frame of another size.
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

    /// Adopts the window's size and clears the terminal.
    mutating func resize() -> Size {
        term_resize()
        shown = nil
        return size
    }

    /// Sends a sequence that draws nothing.
    func send(_ sequence: String) { term_send(sequence) }

    func suspend() { term_suspend() }
    func lend() { term_lend() }
    func resume() { term_resume() }
    func close() { term_close() }

    private func put(_ cell: Cell, at point: Point) {
        let look = theme.look(of: cell.style)
        let scalars = cell.text.unicodeScalars.map(\.value)
        let pair = look.color.map { Self.pair($0, on: look.background) } ?? 0
        term_put(
            Int32(point.y), Int32(point.x), scalars, Int32(scalars.count), Int32(cell.width),
            look.attributes.cursesBits, Int32(pair))
    }

    private static func pair(_ color: Int, on background: Int?) -> Int {
        firstPair + color + 8 * (ColorTheme.backgrounds.firstIndex(of: background) ?? 0)
    }

    /// Places the cursor; nil hides it in the last cell.
    private func place(_ cursor: Surface.Cursor?, in size: Size) {
        guard let cursor, cursor.position.x < size.width, cursor.position.y < size.height else {
            term_move_cursor(Int32(max(0, size.height - 1)), Int32(max(0, size.width - 1)), 0)
            return
        }
        term_move_cursor(Int32(cursor.position.y), Int32(cursor.position.x), cursor.isVisible ? 1 : 0)
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
