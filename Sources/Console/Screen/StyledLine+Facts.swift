import TerminalUI

extension StyledLine {
    /// Names and values below each other; entries without a value are left out.
    static func facts(_ entries: [(name: String, value: String?)], width: Int, glyphs: Glyphs) -> [StyledLine] {
        let given = entries.compactMap { entry in
            entry.value.flatMap { $0.isEmpty ? nil : KeyValueBlock.Entry(entry.name, $0) }
        }
        return KeyValueBlock(given).lines(width: width, glyphs: glyphs)
    }

    /// Text whose own spacing matters: a line that fits stays as it is, only a longer one is wrapped.
    static func preformatted(_ text: String, width: Int, style: Style = .text) -> [StyledLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line in
            DisplayWidth.of(line) <= width ? [StyledLine(line, style)] : wrap(line, to: width, style: style)
        }
    }

    /// What went wrong with the file or with the profile, in the words of the report.
    static func problem(_ report: ErrorReport, width: Int, glyphs: Glyphs) -> [StyledLine] {
        wrap("\(glyphs.cross) \(report.headline)", to: width, style: .danger)
            + wrap("\(report.reason) \(report.advice)", to: width)
    }

    /// Two columns further in.
    var indented: StyledLine { StyledLine([Span("  ")] + spans) }
}
