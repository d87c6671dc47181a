/// A surface as text, for tests and for `--plain` twins.
extension Surface {
    /// The rows, without the blanks at their ends.
    package var lines: [String] {
        (0..<size.height).map { y in
            var line = row(y).reduce(into: "") { $0 += $1.text }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The rows joined by line feeds; rows that are blank at the bottom are kept, so that the height shows.
    package var text: String { lines.joined(separator: "\n") }
}
