/// Headings between the rows of a list, and where rows stand because of them.
package struct AccountHeadings: Sendable, Equatable {
    /// Before which row each heading stands, in order, and what it says.
    private let headings: [(row: Int, title: String)]

    package static let none = AccountHeadings([])

    init(_ headings: [(row: Int, title: String)]) { self.headings = headings }

    package static func == (one: AccountHeadings, other: AccountHeadings) -> Bool {
        one.headings.elementsEqual(other.headings) { $0 == $1 }
    }

    package var count: Int { headings.count }

    /// Where `row` stands with the headings counted.
    func line(ofRow row: Int) -> Int { row + firstHeading { $1.row > row } }

    /// What stands on a line: a heading, or a row of the list.
    func content(ofLine line: Int) -> (heading: String?, row: Int) {
        // Heading `i` stands on line `row + i`.
        let before = firstHeading { index, heading in heading.row + index > line }
        if before > 0, headings[before - 1].row + before - 1 == line {
            return (headings[before - 1].title, headings[before - 1].row)
        }
        return (nil, line - before)
    }

    /// The first heading for which the condition holds, by halving: it holds for all after that.
    private func firstHeading(_ condition: (Int, (row: Int, title: String)) -> Bool) -> Int {
        var (low, high) = (0, headings.count)
        while low < high {
            let middle = (low + high) / 2
            if condition(middle, headings[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
