/// A row of numbered tabs. Their keys are the numbers.
package struct Tabs {
    private let titles: [String]
    private let isShown: (Int) -> Bool
    private static let gap = 1

    package init(_ titles: [String], isShown: @escaping (Int) -> Bool) {
        (self.titles, self.isShown) = (titles, isShown)
    }

    private func label(_ index: Int) -> String {
        isShown(index) ? "[\(index + 1) \(titles[index])]" : " \(index + 1) \(titles[index]) "
    }

    /// Draws the tabs. Returns the room after them.
    package func draw(on surface: inout Surface, in row: Rect) -> Rect {
        var room = row
        for index in titles.indices {
            let edge = surface.writeLine(label(index), in: room, style: isShown(index) ? Style(.accent, .bold) : .muted)
            room = room.splitLeft(edge - room.minX + Self.gap).rest
        }
        return room
    }

    package func key(at point: Point, in row: Rect) -> Key? {
        guard row.contains(point) else { return nil }
        let widths = titles.indices.map { DisplayWidth.of(label($0)) }
        return Rect.index(at: point.x - row.minX, of: widths, gap: Self.gap).flatMap {
            "\($0 + 1)".first.map(Key.character)
        }
    }
}
