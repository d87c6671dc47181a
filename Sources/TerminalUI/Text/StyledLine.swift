package struct Span: Sendable, Hashable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .text) { (self.text, self.style) = (text, style) }

    package var width: Int { DisplayWidth.of(text) }
}

package struct StyledLine: Sendable, Hashable, ExpressibleByStringLiteral {
    package var spans: [Span]

    package init(_ spans: [Span]) { self.spans = spans }
    package init(_ text: String, _ style: Style = .text) { self.init([Span(text, style)]) }
    package init(stringLiteral text: String) { self.init(text) }

    package static let empty = StyledLine([])

    package var width: Int { spans.reduce(0) { $0 + $1.width } }

    package static func wrap(_ text: String, to width: Int, style: Style = .text) -> [StyledLine] {
        TextFitting.wrap(text, to: width).map { StyledLine($0, style) }
    }

    /// Names and values in two columns, without empty entries. Names take up to a third of the width; long values wrap.
    package static func facts(_ entries: [(name: String, value: String?)], width: Int, glyphs: Glyphs) -> [StyledLine] {
        let given = entries.filter { $0.value?.isEmpty == false }
        let nameWidth = min(given.map { DisplayWidth.of($0.name) }.max() ?? 0, max(1, width / 3))
        let gap = "  "
        return given.flatMap { entry in
            let values = TextFitting.wrap(entry.value ?? "", to: max(1, width - nameWidth - gap.count))
            return values.enumerated().map { row, value in
                let name = TextFitting.fit(row == 0 ? entry.name : "", to: nameWidth, ellipsis: glyphs.ellipsis)
                return StyledLine([Span(name + gap, .muted), Span(value)])
            }
        }
    }

    /// Text with its own spacing: only lines that don't fit are wrapped.
    package static func preformatted(_ text: String, width: Int, style: Style = .text) -> [StyledLine] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).flatMap { line in
            DisplayWidth.of(line) <= width ? [StyledLine(line, style)] : wrap(line, to: width, style: style)
        }
    }

    package var indented: StyledLine { StyledLine([Span("  ")] + spans) }
}

extension Surface {
    /// Writes the spans in the first row of `rect`; the first that doesn't fit ends in an ellipsis.
    package mutating func writeLine(_ line: StyledLine, in rect: Rect) {
        var rest = rect.row(0)
        for span in line.spans where !rest.isEmpty {
            let edge = writeLine(span.text, in: rest, style: span.style)
            rest = rest.splitLeft(edge - rest.minX).rest
        }
    }
}
