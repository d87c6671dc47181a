/// The lines and marks for drawing. Each takes one column, so that both sets have the same layout.
package struct Glyphs: Sendable, Hashable {
    package var horizontal, vertical, dashed: String
    package var topLeft, topRight, bottomLeft, bottomRight: String
    package var teeLeft, teeRight: String
    /// The mark of the selected row.
    package var pointer: String
    package var ellipsis: String
    package var check, cross, warning, dash, pending: String
    package var bullet, separator, arrowLeft, arrowRight, arrowUp, arrowDown: String
    /// The mark of something that can be renewed.
    package var refreshing: String
    /// The cells of a bar, from nearly empty to full.
    package var bars: [String]
    /// The frames of the spinner, one column each.
    package var spinner: [String]

    package static let unicode = Glyphs(
        horizontal: "─", vertical: "│", dashed: "╌", topLeft: "┌", topRight: "┐", bottomLeft: "└", bottomRight: "┘",
        teeLeft: "├", teeRight: "┤", pointer: "›", ellipsis: "…",
        check: "✓", cross: "✗", warning: "!", dash: "–", pending: "·",
        bullet: "•", separator: "·", arrowLeft: "←", arrowRight: "→", arrowUp: "↑", arrowDown: "↓",
        refreshing: "↻", bars: ["▁", "▂", "▃", "▄", "▅", "▆", "▇"],
        spinner: ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"])

    package static let ascii = Glyphs(
        horizontal: "-", vertical: "|", dashed: ".", topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+",
        teeLeft: "+", teeRight: "+", pointer: ">", ellipsis: "~",
        check: "+", cross: "x", warning: "!", dash: "-", pending: ".",
        bullet: "*", separator: "-", arrowLeft: "<", arrowRight: ">", arrowUp: "^", arrowDown: "v",
        refreshing: "R", bars: ["-", "="], spinner: ["|", "/", "-", "\\"])

    /// A bar for a part of a whole; the rest is blank. Anything above nothing shows at least one mark.
    package func bar(_ part: Double, width: Int) -> String {
        let steps = width * bars.count
        let filled = part <= 0 ? 0 : max(1, min(steps, Int(part * Double(steps))))
        let (full, partial) = (filled / bars.count, filled % bars.count)
        let cells = String(repeating: bars.last ?? "", count: full) + (partial == 0 ? "" : bars[partial - 1])
        return cells + String(repeating: " ", count: width - cells.count)
    }

    /// The spinner's frame at a tick; the first one without motion.
    package func spinnerFrame(tick: Int, motion: Bool = true) -> String {
        guard motion, !spinner.isEmpty else { return pending }
        return spinner[((tick % spinner.count) + spinner.count) % spinner.count]
    }
}
