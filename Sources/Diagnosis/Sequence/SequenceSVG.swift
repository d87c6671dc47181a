import Foundation

/// A diagram as SVG with fixed positions, for light and dark pages. Contains no script and loads nothing.
struct SequenceSVG {
    private static let column = 190
    private static let row = 40
    private static let top = 100
    private static let margin = 80

    private let diagram: SequenceDiagram
    private let parties: [SequenceDiagram.Party]

    init(_ diagram: SequenceDiagram) {
        self.diagram = diagram
        parties = diagram.parties
    }

    private var width: Int { Self.margin * 2 + max(0, parties.count - 1) * Self.column + 60 }

    private var rows: Int { diagram.arrows.reduce(0) { $0 + 1 + $1.notes.count + ($1.heading == nil ? 0 : 1) } }
    private var height: Int { Self.top + rows * Self.row + 30 }

    private func x(_ party: SequenceDiagram.Party) -> Int {
        Self.margin + (parties.firstIndex(of: party) ?? 0) * Self.column
    }

    var text: String {
        var out = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" \
            font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13">
            """,
            "<title>\(Self.escaped(diagram.title))</title>",
            """
            <style>
            svg { background: #ffffff; color: #1f2328 } .muted { fill: #59636e } .line { stroke: #818b98 }
            .refused { stroke: #cf222e; fill: #cf222e } .head { fill: #f6f8fa; stroke: #818b98 }
            @media (prefers-color-scheme: dark) {
            svg { background: #0d1117; color: #e6edf3 } .muted { fill: #9198a1 } .line { stroke: #656c76 }
            .refused { stroke: #ff7b72; fill: #ff7b72 } .head { fill: #151b23; stroke: #656c76 } }
            </style>
            <rect width="100%" height="100%" fill="none"/>
            """,
            Self.text(diagram.title, x: Self.margin - 60, y: 28, room: width - 40, extra: #" font-weight="bold""#),
        ]
        for party in parties {
            let x = x(party)
            out.append(
                #"<line x1="\#(x)" y1="80" x2="\#(x)" y2="\#(height - 16)" class="line" stroke-dasharray="2 3"/>"#)
            out.append(#"<rect x="\#(x - 55)" y="48" width="110" height="30" rx="4" class="head"/>"#)
            out.append(Self.text(party.title, x: x, y: 68, room: 110, extra: #" text-anchor="middle""#))
        }
        var y = Self.top
        for arrow in diagram.arrows {
            y += Self.row
            if let heading = arrow.heading {
                let extra = #" font-weight="bold""#
                out.append(Self.text(heading, x: 20, y: y - 14, room: width - 40, extra: extra))
                y += Self.row
            }
            out += lines(of: arrow, y: y - 12)
            for note in arrow.notes {
                y += Self.row
                let start = min(x(arrow.from), x(arrow.to)) + 10
                out.append(
                    Self.text(
                        note, x: start, y: y - 22, room: width - start - 10, extra: #" class="muted" font-size="11""#))
            }
        }
        return (out + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func lines(of arrow: SequenceDiagram.Arrow, y: Int) -> [String] {
        let (start, end) = (x(arrow.from), x(arrow.to))
        let style = arrow.outcome == .rejected ? "refused" : "line"
        guard start != end else {
            return [
                Self.path("M\(start) \(y - 14)h26v14h-22", style),
                Self.head(at: start, y: y, direction: -1, style),
                Self.text(arrow.countedLabel, x: start + 32, y: y - 3, room: width - start - 40),
            ]
        }
        let direction = end > start ? 1 : -1
        let dashes = arrow.outcome == .sent ? "" : #" stroke-dasharray="6 4""#
        let mark =
            arrow.outcome == .rejected
            ? Self.path("M\(end - direction * 12 - 5) \(y - 5)l10 10m0 -10l-10 10", style)
            : Self.head(at: end, y: y, direction: direction, style)
        return [
            #"<line x1="\#(start)" y1="\#(y)" x2="\#(end)" y2="\#(y)" class="\#(style)"\#(dashes)/>"#, mark,
            Self.text(
                arrow.countedLabel, x: (start + end) / 2, y: y - 6, room: abs(end - start) - 16,
                extra: #" text-anchor="middle""#),
        ]
    }

    private static func path(_ commands: String, _ style: String) -> String {
        #"<path d="\#(commands)" class="\#(style)" style="fill: none"/>"#
    }

    private static func head(at x: Int, y: Int, direction: Int, _ style: String) -> String {
        path("M\(x - direction * 8) \(y - 5)l\(direction * 8) 5l\(-direction * 8) 5", style)
    }

    /// Text cut to a width in pixels, with about 7.2 for a letter and twice as much for an ideograph.
    private static func text(_ text: String, x: Int, y: Int, room: Int, extra: String = "") -> String {
        var rest = room * 10
        var shown = text.prefix { character in
            rest -= character.unicodeScalars.contains { $0.value >= 0x1100 } ? 144 : 72
            return rest >= 0
        }[...]
        if shown.count < text.count { shown = shown.dropLast() + "…" }
        return #"<text x="\#(x)" y="\#(y)" fill="currentColor"\#(extra)>\#(escaped(String(shown)))</text>"#
    }

    /// Text for XML 1.0, without the characters that it excludes.
    private static func escaped(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value & 0xFFFE != 0xFFFE }))
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
