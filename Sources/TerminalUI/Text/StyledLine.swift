/// A piece of text in one style.
package struct Span: Sendable, Hashable {
    package var text: String
    package var style: Style

    package init(_ text: String, _ style: Style = .text) {
        self.text = text
        self.style = style
    }

    package var width: Int { DisplayWidth.of(text) }
}

/// A line of spans.
package struct StyledLine: Sendable, Hashable, ExpressibleByStringLiteral {
    package var spans: [Span]

    package init(_ spans: [Span]) { self.spans = spans }
    package init(_ text: String, _ style: Style = .text) { self.init([Span(text, style)]) }
    package init(stringLiteral text: String) { self.init(text) }

    package static let empty = StyledLine([])

    package var width: Int { spans.reduce(0) { $0 + $1.width } }

    /// A paragraph wrapped to lines of at most `width` columns.
    package static func wrap(_ text: String, to width: Int, style: Style = .text) -> [StyledLine] {
        TextFitting.wrap(text, to: width).map { StyledLine($0, style) }
    }
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
