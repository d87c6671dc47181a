import TerminalUI

/// What can be moved through: the rows of a list, or the lines of a text. It depends on the layout.
struct Extent {
    /// The selected row, or the first line that is seen.
    var position: Int
    var last: Int
    /// Rows that fit.
    var page: Int
    /// The list as it is on the screen, where the window has room for one; nil: a text.
    let shown: () -> ShownList?

    init(position: Int, last: Int, page: Int, shown: @autoclosure @escaping () -> ShownList? = nil) {
        self.position = position
        self.last = last
        self.page = page
        self.shown = shown
    }
}

/// How far a moving command goes.
enum Motion: Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last

    /// The new position, within 0 and the last one.
    func applied(to extent: Extent) -> Int {
        let wanted =
            switch self {
            case .up: extent.position - 1
            case .down: extent.position + 1
            case .pageUp: extent.position - max(1, extent.page)
            case .pageDown: extent.position + max(1, extent.page)
            case .halfPageUp: extent.position - max(1, extent.page / 2)
            case .halfPageDown: extent.position + max(1, extent.page / 2)
            case .first: 0
            case .last: extent.last
            }
        return max(0, min(wanted, extent.last))
    }

    /// Lines that a list of this height turns by, as a whole.
    func turn(of height: Int) -> Int {
        switch self {
        case .pageUp: -height
        case .pageDown: height
        case .halfPageUp: -height / 2
        case .halfPageDown: height / 2
        case .up, .down, .first, .last: 0
        }
    }
}

extension ConsoleScreen {
    /// The list that has the selection now, where the window has room for one.
    func shownList(_ context: Context) -> ShownList? {
        Frame.fits(context.size) ? extent(context)?.shown() : nil
    }

    mutating func move(_ motion: Motion, _ context: inout Context) {
        guard let extent = extent(context) else { return }
        if Frame.fits(context.size), let shown = extent.shown() { context.keepInSight(shown, moving: motion) }
        go(to: motion.applied(to: extent), &context)
    }
}

/// What the status line says of a list.
enum StatusPlace {
    /// Of one width wherever the selection is, so that the hints stay where they are.
    static func text(_ row: Int, of count: Int) -> String {
        TextFitting.fit("\(row + 1) of \(count)", to: "\(count) of \(count)".count)
    }
}
