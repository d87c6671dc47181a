import TerminalUI

/// Screens as one text for readable diffs: rows, cursor and styles. The styles are those of the first screen; the others
/// have the same content at other sizes.
///
///     == 80x24, cursor 1,5 hidden
///     (rows; three or more blank ones as "(15 blank rows)")
///     -- styles
///     0: 1-9 muted, 10-17 title+bold
///     1-3: 0-79 border                                 (rows with the same styles)
///     == 120x40, cursor 1,5 hidden
///     (rows)
package struct GoldenText {
    package let text: String

    package init(_ surfaces: [Surface]) {
        let styles = surfaces.first.map { ["-- styles"] + StyleRun.lines(of: $0) } ?? []
        let sections = surfaces.map(Self.section)
        text = Self.joined(sections.prefix(1).joined() + styles + sections.dropFirst().joined())
    }

    /// Each theme's attributes for `styles`, so that a change of a colour is visible, and the attributes without
    /// colours.
    package init(looksOf styles: Set<Style>) {
        let themes = ScreenTheme.allCases
        let looks = styles.map { style in
            style.notation + ": " + themes.map { ColorTheme($0).look(of: style).notation }.joined(separator: " | ")
        }
        text = Self.joined(["== looks: " + themes.map(\.rawValue).joined(separator: " | ")] + looks.sorted())
    }

    private static func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    private static func section(_ surface: Surface) -> [String] {
        let cursor = surface.cursor.map { "cursor \($0.notation)" } ?? "no cursor"
        return ["== \(surface.size.width)x\(surface.size.height), \(cursor)"] + rows(surface.lines)
    }

    /// The rows, with a count in place of consecutive blank ones.
    private static func rows(_ lines: [String]) -> [String] {
        let runs = lines.reduce(into: [[String]]()) { runs, line in
            if line.isEmpty, runs.last?.last == "" {
                runs[runs.count - 1].append(line)
            } else {
                runs.append([line])
            }
        }
        return runs.flatMap { $0.count < 3 ? $0 : ["(\($0.count) blank rows)"] }
    }
}

/// Neighbouring cells with one style.
package struct StyleRun: Sendable, Equatable {
    package var style: Style
    /// Columns.
    package var columns: ClosedRange<Int>
    package var text: String

    /// All runs of a row, in order.
    package static func row(_ y: Int, of surface: Surface) -> [StyleRun] {
        surface.row(y).enumerated().reduce(into: []) { runs, column in
            let (x, cell) = column
            if let last = runs.last, last.style == cell.style {
                runs[runs.count - 1].columns = last.columns.lowerBound...x
                runs[runs.count - 1].text += cell.text
            } else {
                runs.append(StyleRun(style: cell.style, columns: x...x, text: cell.text))
            }
        }
    }

    /// One line for each row, or rows styled alike, with anything but plain text: `12: 0-17 title, 20-31 danger`.
    static func lines(of surface: Surface) -> [String] {
        var lines: [(rows: ClosedRange<Int>, runs: String)] = []
        for y in 0..<surface.size.height {
            let runs = row(y, of: surface).filter { $0.style != .text }.map(\.notation).joined(separator: ", ")
            if let last = lines.last, last.runs == runs {
                lines[lines.count - 1].rows = last.rows.lowerBound...y
            } else {
                lines.append((y...y, runs))
            }
        }
        return lines.filter { !$0.runs.isEmpty }.map { rows, runs in
            (rows.count == 1 ? "\(rows.lowerBound)" : "\(rows.lowerBound)-\(rows.upperBound)") + ": " + runs
        }
    }

    private var notation: String { "\(columns.lowerBound)-\(columns.upperBound) \(style.notation)" }
}
