package struct TableLayout: Sendable, Hashable {
    package struct Placement: Sendable, Hashable {
        package let column, x, width: Int
    }

    package static let gap = 2

    package let placements: [Placement]

    package init(_ columns: [TableColumn], width: Int) {
        let shown = Self.keep(columns, width: width)
        var widths = Dictionary(uniqueKeysWithValues: shown.map { ($0, min(columns[$0].minimum, width)) })
        var spare = width - widths.values.reduce(0, +) - Self.gap * max(0, shown.count - 1)
        for index in shown.sorted(by: { Self.precedes(columns, $0, $1) }) {
            let more = min(max(0, spare), columns[index].ideal - columns[index].minimum)
            widths[index, default: 0] += more
            spare -= more
        }
        let (growing, left) = (shown.filter { columns[$0].grows }, max(0, spare))
        for (order, index) in growing.enumerated() {
            widths[index, default: 0] += left / growing.count + (order < left % growing.count ? 1 : 0)
        }
        var x = 0
        placements = shown.map { index in
            let placement = Placement(column: index, x: x, width: widths[index] ?? 0)
            x += placement.width + Self.gap
            return placement
        }
    }

    /// The columns that fit at their minimum width, in order of priority. The first always stays.
    private static func keep(_ columns: [TableColumn], width: Int) -> [Int] {
        var shown: [Int] = []
        var used = 0
        for index in columns.indices.sorted(by: { precedes(columns, $0, $1) }) {
            let needed = columns[index].minimum + (shown.isEmpty ? 0 : gap)
            guard shown.isEmpty || used + needed <= width else { break }
            shown.append(index)
            used += needed
        }
        return shown.sorted()
    }

    private static func precedes(_ columns: [TableColumn], _ first: Int, _ second: Int) -> Bool {
        (columns[first].priority, first) < (columns[second].priority, second)
    }
}

package struct TableColumn: Sendable, Hashable {
    package var title: String
    /// The minimum width; below it the column is omitted.
    package var minimum: Int
    /// The width beyond which the column needs no more.
    package var ideal: Int
    /// The omission order: columns with higher values are omitted first.
    package var priority: Int
    package var alignment: Alignment
    /// Whether the column gets the width left over by the others.
    package var grows: Bool
    /// Whether to shorten long texts in the middle, because their ends distinguish them.
    package var keepsBothSides: Bool

    package init(
        _ title: String, minimum: Int, ideal: Int, priority: Int = 0, alignment: Alignment = .leading,
        grows: Bool = false, keepsBothSides: Bool = false
    ) {
        (self.title, self.priority, self.alignment) = (title, priority, alignment)
        (self.minimum, self.ideal) = (max(1, minimum), max(minimum, ideal))
        (self.grows, self.keepsBothSides) = (grows, keepsBothSides)
    }

    /// The column without room that no content needs.
    package func fitting(_ content: Int) -> TableColumn {
        var column = self
        column.minimum = max(1, min(minimum, content))
        column.grows = grows && content > ideal
        column.ideal = max(column.minimum, min(ideal, content))
        return column
    }
}

/// The visible rows of a list. The selected row is always among them.
package struct ListWindow: Sendable, Hashable {
    package let rows: Range<Int>

    /// - Parameter previousOffset: the previous first row. The list scrolls only as far as needed.
    package init(count: Int, selected: Int, height: Int, previousOffset: Int = 0) {
        let visible = max(0, min(count, height))
        guard visible > 0 else {
            rows = 0..<0
            return
        }
        let row = min(max(0, selected), count - 1)
        let first = min(max(previousOffset, row - visible + 1), row)
        let offset = min(max(0, first), count - visible)
        rows = offset..<offset + visible
    }
}
