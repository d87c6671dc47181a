/// A rectangle of cells; `maxX` and `maxY` are one past its last column and row.
package struct Rect: Sendable, Hashable {
    package let origin: Point
    package let size: Size

    package init(origin: Point, size: Size) {
        self.origin = origin
        self.size = size
    }

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
