/// The lines and marks that views draw with. Every mark takes one column, so that both sets lay out the same.
package struct Glyphs: Sendable, Hashable {
    package var horizontal, vertical: String
    package var topLeft, topRight, bottomLeft, bottomRight: String
    package var teeLeft, teeRight: String
    /// Marks the selected row, beside its colour.
    package var pointer: String
    package var ellipsis: String
    package var check, cross, warning, dash, pending: String
    package var bullet, separator, arrowLeft, arrowRight, arrowUp, arrowDown: String
    /// The frames of a running step, one column each.
    package var spinner: [String]

    package static let unicode = Glyphs(
        horizontal: "─", vertical: "│", topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘",
        teeLeft: "├", teeRight: "┤", pointer: "›", ellipsis: "…",
        check: "✓", cross: "✗", warning: "!", dash: "–", pending: "·",
        bullet: "•", separator: "·", arrowLeft: "←", arrowRight: "→", arrowUp: "↑", arrowDown: "↓",
        spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

    package static let ascii = Glyphs(
        horizontal: "-", vertical: "|", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
        teeLeft: "+", teeRight: "+", pointer: ">", ellipsis: "~",
        check: "+", cross: "x", warning: "!", dash: "-", pending: ".",
        bullet: "*", separator: "-", arrowLeft: "<", arrowRight: ">", arrowUp: "^", arrowDown: "v",
        spinner: ["|", "/", "-", "\\"])

    /// The spinner's frame at a tick; without motion it stands still.
    package func spinnerFrame(tick: Int, motion: Bool = true) -> String {
        guard motion, !spinner.isEmpty else { return pending }
        return spinner[((tick % spinner.count) + spinner.count) % spinner.count]
    }
}
