/// The lines and marks for drawing. Each takes one column, so that both sets have the same layout.
package struct Glyphs: Sendable, Hashable {
    package var horizontal, vertical, dashed: String
    package var topLeft, topRight, bottomLeft, bottomRight: String
    package var teeLeft, teeRight: String
    package var pointer: String
    package var ellipsis: String
    package var check, cross, warning, dash, pending: String
    package var bullet, separator, arrowLeft, arrowRight, arrowUp, arrowDown: String
    /// The marks of something that is available, and of something that is made when it is needed.
    package var full, half: String
    package var spinner: [String]

    package static let unicode = Glyphs(
        horizontal: "─", vertical: "│", dashed: "╌", topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘",
        teeLeft: "├", teeRight: "┤", pointer: "›", ellipsis: "…",
        check: "✓", cross: "✗", warning: "!", dash: "–", pending: "·",
        bullet: "•", separator: "·", arrowLeft: "←", arrowRight: "→", arrowUp: "↑", arrowDown: "↓",
        full: "●", half: "◐", spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

    package static let ascii = Glyphs(
        horizontal: "-", vertical: "|", dashed: ".", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
        teeLeft: "+", teeRight: "+", pointer: ">", ellipsis: "~",
        check: "+", cross: "x", warning: "!", dash: "-", pending: ".",
        bullet: "*", separator: "-", arrowLeft: "<", arrowRight: ">", arrowUp: "^", arrowDown: "v",
        full: "*", half: "~", spinner: ["|", "/", "-", "\\"])

    package func spinnerFrame(tick: Int, motion: Bool = true) -> String {
        guard motion, !spinner.isEmpty else { return pending }
        return spinner[((tick % spinner.count) + spinner.count) % spinner.count]
    }
}
