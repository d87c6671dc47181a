import TerminalUI

/// A surface as text.
extension Surface {
    /// The rows, without trailing spaces.
    package var lines: [String] {
        (0..<size.height).map { y in
            var line = row(y).reduce(into: "") { $0 += $1.text }
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// The rows joined by line feeds, including blank rows at the bottom.
    package var text: String { lines.joined(separator: "\n") }
}
