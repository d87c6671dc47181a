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

    /// One line for each row that has anything but plain text: `12: 0-17 title, 20-31 danger+bold`.
    package var styleLines: [String] {
        (0..<size.height).compactMap { y in
            let runs = styleRuns(y).filter { $0.style != .text }
            guard !runs.isEmpty else { return nil }
            return "\(y): " + runs.map { "\($0.first)-\($0.last) \($0.style.notation)" }.joined(separator: ", ")
        }
    }

    /// Text, then the cursor, then the styles: everything that a person would see, in a form that a diff shows well.
    package var styledText: String {
        let place =
            cursor.map { "cursor \($0.position.x),\($0.position.y)\($0.isVisible ? "" : " hidden")" } ?? "no cursor"
        return (lines + ["-- \(size.width)x\(size.height), \(place)"] + styleLines).joined(separator: "\n")
    }

    private func styleRuns(_ y: Int) -> [(first: Int, last: Int, style: Style)] {
        row(y).enumerated().reduce(into: []) { runs, column in
            let (x, cell) = column
            if let last = runs.last, last.style == cell.style {
                runs[runs.count - 1].last = x
            } else {
                runs.append((x, x, cell.style))
            }
        }
    }
}

extension Surface.Cursor {
    /// `cursor 3,12`, `cursor 0,4 hidden`.
    package var notation: String { "cursor \(position.x),\(position.y)\(isVisible ? "" : " hidden")" }
}

extension Style {
    /// `danger`, `text+bold+underline`.
    package var notation: String {
        let names: [(Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.reverse, "reverse"), (.underline, "underline"),
        ]
        return ([role.rawValue] + names.filter { attributes.contains($0.0) }.map(\.1)).joined(separator: "+")
    }
}
