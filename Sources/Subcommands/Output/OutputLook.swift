import TerminalUI

/// How a command's text looks on a stream: whole lines with words, or on a terminal wrapped, with marks in colour.
struct OutputLook: Sendable, Equatable {
    /// The width of the terminal; `nil` elsewhere, where no line is wrapped.
    var columns: Int?
    /// The colours of the marks. Without colours, in ASCII and in a pipe it is `nil`, and words take their place.
    var theme: ColorTheme?

    /// Of a pipe or a file.
    static let plain = OutputLook()

    /// A line with its first `mark` in a style.
    func painted(_ line: String, _ mark: String, _ style: Style) -> String {
        guard let theme else { return line }
        return line.replacing(mark, with: theme.text(mark, in: style), maxReplacements: 1)
    }

    /// A paragraph after `start`, with a hanging indent. Ends its line.
    func hang(_ text: String, after start: String = "", step: Int = 0) -> String {
        let lines = columns.map { TextFitting.hang(text, after: start, to: $0, step: step) } ?? [start + text]
        return lines.map { "\($0)\n" }.joined()
    }
}
