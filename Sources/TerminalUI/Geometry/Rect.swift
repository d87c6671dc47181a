/// A rectangle of cells; `maxX` and `maxY` are one past its last column and row.
package struct Rect: Sendable, Hashable {
    package let origin: Point
    package let size: Size

    package init(origin: Point, size: Size) { (self.origin, self.size) = (origin, size) }

    package init(x: Int, y: Int, width: Int, height: Int) {
        self.init(origin: Point(x: x, y: y), size: Size(width: width, height: height))
    }

    package static let zero = Rect(origin: .zero, size: .zero)

    package var minX: Int { origin.x }
    package var minY: Int { origin.y }
    package var maxX: Int { origin.x + size.width }
    package var maxY: Int { origin.y + size.height }
    package var width: Int { size.width }
    package var height: Int { size.height }
    package var isEmpty: Bool { size.width == 0 || size.height == 0 }

    package func contains(_ point: Point) -> Bool {
        point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
    }

    package func intersection(_ other: Rect) -> Rect {
        let left = max(minX, other.minX)
        let top = max(minY, other.minY)
        return Rect(x: left, y: top, width: min(maxX, other.maxX) - left, height: min(maxY, other.maxY) - top)
    }

    /// The row `index` of this rectangle, counted from its top; empty if out of range.
    package func row(_ index: Int) -> Rect {
        guard index >= 0, index < height else { return Rect(x: minX, y: minY + max(0, index), width: width, height: 0) }
        return Rect(x: minX, y: minY + index, width: width, height: 1)
    }
}

/// A cell's position: column and row, counted from zero at the top left.
package struct Point: Sendable, Hashable {
    package var x, y: Int

    package init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

    package static let zero = Point(x: 0, y: 0)
}

/// Columns and rows of character cells. Never negative.
package struct Size: Sendable, Hashable {
    package let width, height: Int

    package init(width: Int, height: Int) { (self.width, self.height) = (max(0, width), max(0, height)) }

    package static let zero = Size(width: 0, height: 0)
}

/// Layout by splitting rectangles. The requested part gets its size if available; the rest may be empty.
extension Rect {
    package func splitTop(_ rows: Int) -> (top: Rect, rest: Rect) {
        let taken = clamp(rows, to: height)
        return (
            Rect(x: minX, y: minY, width: width, height: taken),
            Rect(x: minX, y: minY + taken, width: width, height: height - taken)
        )
    }

    package func splitBottom(_ rows: Int) -> (rest: Rect, bottom: Rect) {
        let parts = splitTop(height - clamp(rows, to: height))
        return (parts.top, parts.rest)
    }

    package func splitLeft(_ columns: Int) -> (left: Rect, rest: Rect) {
        let taken = clamp(columns, to: width)
        return (
            Rect(x: minX, y: minY, width: taken, height: height),
            Rect(x: minX + taken, y: minY, width: width - taken, height: height)
        )
    }

    package func splitRight(_ columns: Int) -> (rest: Rect, right: Rect) {
        let parts = splitLeft(width - clamp(columns, to: width))
        return (parts.left, parts.rest)
    }

    package func inset(horizontal: Int = 0, vertical: Int = 0) -> Rect {
        let across = min(max(0, horizontal), width / 2)
        let down = min(max(0, vertical), height / 2)
        return Rect(x: minX + across, y: minY + down, width: width - 2 * across, height: height - 2 * down)
    }

    package func centered(_ size: Size) -> Rect {
        let columns = min(size.width, width)
        let rows = min(size.height, height)
        return Rect(x: minX + (width - columns) / 2, y: minY + (height - rows) / 2, width: columns, height: rows)
    }

    /// The width of a list over the screen. A box that would leave only a sliver beside it takes the full width instead.
    package var overlayWidth: Int {
        let (widest, sliver) = (76, 12)
        return width < widest + sliver ? width : widest
    }

    /// The areas of a list and of the selected row's details: beside the list in a wide window, otherwise below a rule.
    /// - Parameter wanted: the columns that the list needs.
    package func splitDetails(rows: Int, list wanted: Int = 0) -> (list: Rect, rule: Rect, details: Rect) {
        guard rows > 0 else { return (self, .zero, .zero) }
        if width >= 110, wanted <= width - 40 {
            let (list, rest) = splitLeft(max(wanted, width * 11 / 20))
            return (list, .zero, rest.splitLeft(3).rest)
        }
        let (list, below) = splitBottom(rows + 1)
        let (rule, details) = below.splitTop(1)
        return (list, rule, details)
    }

    /// The index of the piece at a column, of pieces beside each other.
    static func index(at column: Int, of widths: [Int], gap: Int) -> Int? {
        let starts = widths.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1 + gap) }
        return zip(starts, widths).enumerated().first { $1.0 <= column && column < $1.0 + $1.1 }?.offset
    }
}

private func clamp(_ value: Int, to limit: Int) -> Int { min(max(0, value), limit) }
