package struct Extent {
    /// The selected row, or the first visible line.
    package var position: Int
    package var last: Int
    /// The number of visible rows, if it isn't the list's height.
    package var page: Int?
    /// The list on the screen, if it's visible; nil for a text.
    package let shown: () -> ShownList?

    package init(position: Int, last: Int, page: Int? = nil, shown: @autoclosure @escaping () -> ShownList? = nil) {
        (self.position, self.last, self.page, self.shown) = (position, last, page, shown)
    }
}

package enum Motion: Sendable {
    case up, down, pageUp, pageDown, halfPageUp, halfPageDown, first, last

    package func applied(to extent: Extent, page: Int) -> Int {
        let wanted =
            switch self {
            case .up: extent.position - 1
            case .down: extent.position + 1
            case .pageUp: extent.position - max(1, page)
            case .pageDown: extent.position + max(1, page)
            case .halfPageUp: extent.position - max(1, page / 2)
            case .halfPageDown: extent.position + max(1, page / 2)
            case .first: 0
            case .last: extent.last
            }
        return max(0, min(wanted, extent.last))
    }

    /// The number of lines to scroll a list of this height by.
    package func turn(of height: Int) -> Int {
        switch self {
        case .pageUp: -height
        case .pageDown: height
        case .halfPageUp: -height / 2
        case .halfPageDown: height / 2
        case .up, .down, .first, .last: 0
        }
    }
}

package enum StatusPlace {
    /// The position in a list, in constant width, so that the hints of the status line don't move.
    package static func text(_ row: Int, of count: Int) -> String {
        TextFitting.fit("\(row + 1) of \(count)", to: "\(count) of \(count)".count)
    }
}
