import TerminalUI

/// The extent of a list or text in the current layout.
struct Extent {
    /// The selected row, or the first visible line.
    var position: Int
    var last: Int
    /// The number of visible rows.
    var page: Int
    /// The list on the screen, if it's visible; nil for a text.
    let shown: () -> ShownList?

    init(position: Int, last: Int, page: Int, shown: @autoclosure @escaping () -> ShownList? = nil) {
        self.position = position
        self.last = last
        self.page = page
        self.shown = shown
    }
}

/// The distance of a moving command.
enum Motion: Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last

    /// The new position, within bounds.
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

    /// The number of lines to scroll a list of this height by.
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
    /// The list with the selection, if it's visible.
    func shownList(_ context: Context) -> ShownList? {
        Frame.fits(context.size) ? extent(context)?.shown() : nil
    }

    mutating func move(_ motion: Motion, _ context: inout Context) {
        guard let extent = extent(context) else { return }
        if Frame.fits(context.size), let shown = extent.shown() { context.keepInSight(shown, moving: motion) }
        go(to: motion.applied(to: extent), &context)
    }
}

/// The position in a list, for the status line.
enum StatusPlace {
    /// The position in constant width, so that the hints don't move.
    static func text(_ row: Int, of count: Int) -> String {
        TextFitting.fit("\(row + 1) of \(count)", to: "\(count) of \(count)".count)
    }
}
