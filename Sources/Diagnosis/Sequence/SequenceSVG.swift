import Foundation
import OAuthCore

/// For light and dark pages, without scripts. No text is cut: the lifelines stand as far apart as the labels between them need.
struct SequenceSVG {
    /// `column` is the least distance of two lifelines.
    private static let (column, row, line, top, margin) = (190, 40, 16, 100, 80)
    private static let (labelLength, noteLength) = (42, 100)

    private let diagram: SequenceDiagram
    private let parties: [SequenceDiagram.Party]
    private let positions: [Int]

    init(_ diagram: SequenceDiagram) {
        self.diagram = diagram
        parties = diagram.parties
        positions = Self.positions(diagram, parties)
    }

    private static func positions(_ diagram: SequenceDiagram, _ parties: [SequenceDiagram.Party]) -> [Int] {
        var positions = parties.indices.map { margin + $0 * column }
        let arrows = diagram.arrows.compactMap { arrow -> (from: Int, to: Int, width: Int)? in
            guard let from = parties.firstIndex(of: arrow.from), let to = parties.firstIndex(of: arrow.to), from != to
            else { return nil }
            return (min(from, to), max(from, to), width(label(of: arrow)) + 24)
        }
        for index in positions.indices {
            let needed = arrows.filter { $0.to == index }.map { positions[$0.from] + $0.width - positions[index] }
            let more = max(0, needed.max() ?? 0)
            for later in index..<positions.count { positions[later] += more }
        }
        return positions
    }

    private static func label(of arrow: SequenceDiagram.Arrow) -> [String] { wrapped(arrow.countedLabel, labelLength) }

    private func x(_ party: SequenceDiagram.Party) -> Int {
        parties.firstIndex(of: party).map { positions[$0] } ?? Self.margin
    }

    private struct Page {
        var elements: [String] = []
        var width: Int
        var height = SequenceSVG.top

        mutating func write(_ lines: [String], x: Int, y: Int, extra: String = "", isCentred: Bool = false) {
            let anchor = isCentred ? #" text-anchor="middle""# : ""
            for (index, line) in lines.enumerated() {
                elements.append(
                    #"<text x="\#(x)" y="\#(y + index * SequenceSVG.line)" fill="currentColor"\#(anchor)\#(extra)>"#
                        + SequenceSVG.escaped(line) + "</text>")
            }
            let length = SequenceSVG.width(lines)
            width = max(width, x + (isCentred ? length / 2 : length) + 20)
        }
    }

    var text: String {
        let style = """
            <style>
            svg { background: #ffffff; color: #1f2328 } .muted { fill: #59636e } .line { stroke: #818b98 }
            .refused { stroke: #cf222e } .head { fill: #f6f8fa; stroke: #818b98 }
            @media (prefers-color-scheme: dark) {
            svg { background: #0d1117; color: #e6edf3 } .muted { fill: #9198a1 } .line { stroke: #656c76 }
            .refused { stroke: #ff7b72 } .head { fill: #151b23; stroke: #656c76 } }
            </style>
            <rect width="100%" height="100%" fill="none"/>

            """
        return drawn(font: #" font-family="system-ui, 'DejaVu Sans', sans-serif" font-size="13""#, style)
    }

    /// For a page that has the styles. Each arrow is a group with its number, and a part of the page from `firstPart` on.
    func figure(firstPart: Int) -> HTML { HTML(stringLiteral: drawn(font: "", "", firstPart: firstPart)) }

    private func drawn(font: String, _ style: String, firstPart: Int? = nil) -> String {
        var page = Page(width: (positions.last ?? Self.margin) + Self.margin + 60)
        // A page has the title itself.
        let start = firstPart == nil ? 0 : 40
        if firstPart == nil { page.write([diagram.title], x: 20, y: 28, extra: #" font-weight="bold""#) }
        for (index, arrow) in diagram.arrows.enumerated() {
            let (first, top) = (page.elements.count, page.height)
            draw(arrow, on: &page)
            guard let firstPart else { continue }
            page.elements.insert(
                #"<g data-part="\#(firstPart + index)"><rect y="\#(top)" width="100%" height="\#(page.height - top)" fill="transparent"/>"#,
                at: first)
            page.write(["\(index + 1)"], x: 4, y: top + Self.row - 8)
            page.elements.append("</g>")
        }
        let (width, height) = (page.width, page.height + 30)
        let seen = height - start
        let size = firstPart == nil ? "" : #" width="\#(width)" height="\#(seen)""#
        let head = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 \(start) \(width) \(seen)"\(size) role="img"\(font)>
            """,
            "<title>\(Self.escaped(diagram.title))</title>",
        ]
        return head.joined(separator: "\n") + "\n" + style
            + (lifelines(height) + page.elements + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func lifelines(_ height: Int) -> [String] {
        var page = Page(width: 0)
        for party in parties {
            let x = x(party)
            page.elements += [
                #"<line x1="\#(x)" y1="80" x2="\#(x)" y2="\#(height - 16)" class="line" stroke-dasharray="2 3"/>"#,
                #"<rect x="\#(x - 55)" y="48" width="110" height="30" rx="4" class="head"/>"#,
            ]
            page.write([party.title], x: x, y: 68, isCentred: true)
        }
        return page.elements
    }

    private func draw(_ arrow: SequenceDiagram.Arrow, on page: inout Page) {
        page.height += Self.row
        if let heading = arrow.heading {
            page.write([heading], x: 20, y: page.height - 14, extra: #" font-weight="bold""#)
            page.height += Self.row
        }
        let label = Self.label(of: arrow)
        page.height += (label.count - 1) * Self.line
        drawLine(of: arrow, label, y: page.height - 12, on: &page)
        for note in arrow.notes {
            let lines = Self.wrapped(note, Self.noteLength)
            let y = page.height + Self.row - 22
            page.write(lines, x: min(x(arrow.from), x(arrow.to)) + 10, y: y, extra: #" class="muted" font-size="11""#)
            page.height += Self.row + (lines.count - 1) * Self.line
        }
    }

    private func drawLine(of arrow: SequenceDiagram.Arrow, _ label: [String], y: Int, on page: inout Page) {
        let (start, end) = (x(arrow.from), x(arrow.to))
        let style = arrow.outcome == .rejected ? "refused" : "line"
        let above = (label.count - 1) * Self.line
        guard start != end else {
            page.elements += [
                Self.path("M\(start) \(y - 14)h26v14h-22", style), Self.head(at: start, y: y, direction: -1, style),
            ]
            return page.write(label, x: start + 32, y: y - 3 - above)
        }
        let direction = end > start ? 1 : -1
        let dashes = arrow.outcome == .sent ? "" : #" stroke-dasharray="6 4""#
        let mark =
            arrow.outcome == .rejected
            ? Self.path("M\(end - direction * 12 - 5) \(y - 5)l10 10m0 -10l-10 10", style)
            : Self.head(at: end, y: y, direction: direction, style)
        page.elements += [
            #"<line x1="\#(start)" y1="\#(y)" x2="\#(end)" y2="\#(y)" class="\#(style)"\#(dashes)/>"#, mark,
        ]
        page.write(label, x: (start + end) / 2, y: y - 6 - above, isCentred: true)
    }

    private static func path(_ commands: String, _ style: String) -> String {
        #"<path d="\#(commands)" class="\#(style)" fill="none"/>"#
    }

    private static func head(at x: Int, y: Int, direction: Int, _ style: String) -> String {
        path("M\(x - direction * 8) \(y - 5)l\(direction * 8) 5l\(-direction * 8) 5", style)
    }

    /// The width of the longest line in pixels: 8 for a letter, and twice as much for an ideograph.
    private static func width(_ lines: [String]) -> Int { lines.map { length($0) * 8 }.max() ?? 0 }

    private static func length(_ text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + ($1.unicodeScalars.contains { $0.value >= 0x1100 } ? 2 : 1) }
    }

    /// Lines of at most this length, broken at spaces if possible. The texts of a diagram have single spaces.
    private static func wrapped(_ text: String, _ limit: Int) -> [String] {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty || length(line) + 1 + length(word) > limit {
                if line.isEmpty { lines.removeLast() }
                lines += pieces(of: word, limit)
            } else {
                lines[lines.count - 1] = "\(line) \(word)"
            }
        }
        return lines
    }

    private static func pieces(of word: Substring, _ limit: Int) -> [String] {
        word.reduce(into: [""]) { pieces, character in
            if length(pieces[pieces.count - 1]) + 2 > limit { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
    }

    /// XML 1.0 excludes some characters.
    private static func escaped(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value & 0xFFFE != 0xFFFE }))
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
