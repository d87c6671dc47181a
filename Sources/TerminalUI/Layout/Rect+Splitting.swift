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
        let taken = clamp(rows, to: height)
        let parts = splitTop(height - taken)
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
        let taken = clamp(columns, to: width)
        let parts = splitLeft(width - taken)
        return (parts.left, parts.rest)
    }

    package func inset(horizontal: Int = 0, vertical: Int = 0) -> Rect {
        let across = min(max(0, horizontal), width / 2)
        let down = min(max(0, vertical), height / 2)
        return Rect(x: minX + across, y: minY + down, width: width - 2 * across, height: height - 2 * down)
    }

    /// A rectangle of at most `size` in the middle of this one.
    package func centered(_ size: Size) -> Rect {
        let columns = min(size.width, width)
        let rows = min(size.height, height)
        return Rect(x: minX + (width - columns) / 2, y: minY + (height - rows) / 2, width: columns, height: rows)
    }
}

private func clamp(_ value: Int, to limit: Int) -> Int { min(max(0, value), limit) }
