/// Headings between the rows of a list, and the resulting line numbers.
package struct AccountHeadings: Sendable, Equatable {
    /// The headings in order, each with the row it precedes.
    private let headings: [(row: Int, title: String)]

    package static let none = AccountHeadings([])

    init(_ headings: [(row: Int, title: String)]) { self.headings = headings }

    package static func == (one: AccountHeadings, other: AccountHeadings) -> Bool {
        one.headings.elementsEqual(other.headings) { $0 == $1 }
    }

    package var count: Int { headings.count }

    /// The line of a row, counting headings.
    func line(ofRow row: Int) -> Int { row + firstHeading { $1.row > row } }

    /// The content of a line: a heading, or a row.
    func content(ofLine line: Int) -> (heading: String?, row: Int) {
        // Heading `i` is on line `row + i`.
        let before = firstHeading { index, heading in heading.row + index > line }
        if before > 0, headings[before - 1].row + before - 1 == line {
            return (headings[before - 1].title, headings[before - 1].row)
        }
        return (nil, line - before)
    }

    /// The index of the first heading that meets the condition, by binary search.
    private func firstHeading(_ condition: (Int, (row: Int, title: String)) -> Bool) -> Int {
        var (low, high) = (0, headings.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(middle, headings[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
