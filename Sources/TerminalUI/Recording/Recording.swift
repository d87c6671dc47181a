import JSON

/// Frames of a screen with their durations, as a file to play.
package struct Recording: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// asciicast v2 (docs.asciinema.org/manual/asciicast/v2).
        case cast
        /// An SVG picture that moves by CSS, without a script.
        case svg

        /// The format for a file name; nil for another ending.
        package init?(fileName: String) {
            guard let ending = fileName.lowercased().split(separator: ".").last.map(String.init),
                fileName.contains("."), let format = Format(rawValue: ending)
            else { return nil }
            self = format
        }
    }

    private let title: String
    private let theme: ColorTheme
    private var frames: [(surface: Surface, milliseconds: Int)] = []

    package init(title: String, theme: ScreenTheme = .standard) {
        self.title = title
        self.theme = ColorTheme(theme)
    }

    /// Adds a frame. A frame like the one before prolongs it.
    package mutating func add(_ surface: Surface, seconds: Double) {
        let milliseconds = Int((seconds * 1000).rounded())
        if let last = frames.last, last.surface.cells == surface.cells {
            frames[frames.count - 1].milliseconds += milliseconds
        } else {
            frames.append((surface, milliseconds))
        }
    }

    package func text(_ format: Format) -> String {
        switch format {
        case .cast: cast
        case .svg: svg
        }
    }

    private var size: Size { frames.first?.surface.size ?? Size(width: 80, height: 24) }

    // asciicast.

    private var cast: String {
        var lines = [
            #"{"version":2,"width":\#(size.width),"height":\#(size.height),"title":\#(Self.quoted(title))}"#
        ]
        var time = 0
        var shown: Surface?
        for frame in frames {
            var output = shown == nil ? "\u{1B}[2J\u{1B}[?25l" : ""
            for y in 0..<size.height where shown.map({ $0.row(y) != frame.surface.row(y) }) ?? true {
                output += "\u{1B}[\(y + 1);1H" + line(frame.surface.row(y)) + "\u{1B}[0m\u{1B}[K"
            }
            lines.append(#"[\#(Self.seconds(time)),"o",\#(Self.quoted(output))]"#)
            shown = frame.surface
            time += frame.milliseconds
        }
        // The last frame stays.
        lines.append(#"[\#(Self.seconds(time)),"o",""]"#)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func seconds(_ milliseconds: Int) -> String {
        let fraction = String(1000 + milliseconds % 1000).dropFirst()
        return "\(milliseconds / 1000).\(fraction)"
    }

    private static func quoted(_ text: String) -> String { JSONValue.string(text).serialized }

    private func line(_ cells: ArraySlice<Cell>) -> String {
        var style: Style?
        return Self.trimmed(cells).reduce(into: "") { line, cell in
            if cell.style != style {
                style = cell.style
                line += theme.look(of: cell.style).controlSequence
            }
            line += cell.text
        }
    }

    /// The cells without blanks at the end.
    private static func trimmed(_ cells: ArraySlice<Cell>) -> ArraySlice<Cell> {
        let last = cells.lastIndex { $0 != .blank }
        return last.map { cells[cells.startIndex...$0] } ?? cells.prefix(0)
    }

    // SVG.

    private static let (column, row, margin) = (8.4, 18, 12)

    /// The terminal's own colours, and the eight that programs can name. As text on them has to be readable, white is
    /// brighter as a background.
    private static let (paper, ink) = ("#1d2127", "#d6dae0")
    private static let inks = [
        "#000000", "#ef7a7a", "#8cc570", "#e2c06c", "#7aa7e8", "#c79be0", "#63c5d6", "#e4e6ea",
    ]

    private static func ground(_ color: Int?) -> String {
        color.map { $0 == 7 ? "#ffffff" : inks[$0] } ?? paper
    }

    private var ground: String { Self.ground(theme.look(of: .text).background) }

    /// One strip with all frames side by side, moved frame by frame. Equal rows are drawn once.
    private var svg: String {
        let width = Double(size.width) * Self.column + Double(2 * Self.margin)
        let height = size.height * Self.row + 2 * Self.margin
        var rows: [String] = []
        var numbers: [String: Int] = [:]
        var groups: [String] = []
        for (index, frame) in frames.enumerated() {
            var uses = ""
            for y in 0..<size.height {
                let content = picture(frame.surface.row(y))
                guard !content.isEmpty else { continue }
                let number = numbers[content] ?? rows.count
                if number == rows.count {
                    numbers[content] = number
                    rows.append(#"<g id="r\#(number)">\#(content)</g>"#)
                }
                uses += ##"<use href="#r\##(number)" y="\##(y * Self.row)"/>"##
            }
            groups.append(
                #"<g transform="translate(\#(Self.number(Double(index) * width)) 0)">\#(uses)</g>"#)
        }
        return document(width, height, motion: frames.count > 1 ? motion(width) : "", rows, groups)
    }

    private func motion(_ width: Double) -> String {
        let total = max(1, frames.reduce(0) { $0 + $1.milliseconds })
        var time = 0
        let steps = frames.enumerated().map { index, frame -> String in
            defer { time += frame.milliseconds }
            let part = Self.number(Double(time * 1_000_000 / total) / 10_000)
            return "\(part)%{transform:translateX(\(Self.number(-Double(index) * width))px)}"
        }
        let last = Self.number(-Double(max(0, frames.count - 1)) * width)
        return """

            @keyframes play{\(steps.joined())}
            .strip{animation:play \(Self.seconds(total))s steps(1,end) infinite}
            @media (prefers-reduced-motion:reduce){.strip{animation:none;transform:translateX(\(last)px)}}
            """
    }

    private func document(
        _ width: Double, _ height: Int, motion: String, _ rows: [String], _ groups: [String]
    ) -> String {
        let colors = Self.inks.enumerated().map { ".c\($0){fill:\($1)}" }.joined()
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(height)" role="img" \
            font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
            <title>\(Self.escaped(title))</title>
            <style>
            text{white-space:pre;fill:\(Self.ink)}.b{font-weight:bold;fill:#ffffff}\(colors)
            .d{fill:#8a929e}.u{text-decoration:underline}.v{fill:\(Self.paper)}\(motion)
            </style>
            <rect width="100%" height="100%" rx="8" fill="\(ground)"/>
            <defs>
            \(rows.joined(separator: "\n"))
            </defs>
            <svg x="\(Self.margin)" y="\(Self.margin)" width="\(Self.number(width - Double(Self.margin)))" height="\(height)"><g class="strip">
            \(groups.joined(separator: "\n"))
            </g></svg>
            </svg>

            """
    }

    /// The runs of a row with the same style.
    private func picture(_ cells: ArraySlice<Cell>) -> String {
        let cells = Self.trimmed(cells)
        var out = ""
        var start = cells.startIndex
        while start < cells.endIndex {
            let style = cells[start].style
            var stop = start
            while stop < cells.endIndex, cells[stop].style == style { stop += 1 }
            out += run(cells[start..<stop], at: start - cells.startIndex)
            start = stop
        }
        return out
    }

    private func run(_ cells: ArraySlice<Cell>, at column: Int) -> String {
        guard let style = cells.first?.style else { return "" }
        let look = theme.look(of: style)
        let text = cells.map(\.text).joined()
        let isReversed = look.attributes.contains(.reverse)
        let color = look.color.map { Self.inks[$0] } ?? Self.ink
        let behind = isReversed ? color : Self.ground(look.background)
        let paper = behind == ground ? "" : Self.box(column, cells.count, behind)
        if text.allSatisfy({ Self.blocks.keys.contains($0) }), text.contains(where: { $0 != " " }) {
            return paper + Self.blocks(cells, at: column, isReversed ? Self.paper : color)
        }
        let isBlank = text.allSatisfy { $0 == " " } && !look.attributes.contains(.underline)
        guard !isBlank else { return paper }
        let classes = [
            isReversed ? "v" : look.color.map { "c\($0)" }, look.attributes.contains(.dim) ? "d" : nil,
            look.attributes.contains(.bold) ? "b" : nil, look.attributes.contains(.underline) ? "u" : nil,
        ].compactMap(\.self)
        let attribute = classes.isEmpty ? "" : #" class="\#(classes.joined(separator: " "))""#
        let x = Self.number(Double(column) * Self.column)
        let length = Self.number(Double(cells.count) * Self.column)
        return paper
            + #"<text x="\#(x)" y="13"\#(attribute) textLength="\#(length)">\#(Self.escaped(text))</text>"#
    }

    /// The start and the height of a block character's ink, as parts of its cell.
    private static let blocks: [Character: (start: Double, height: Double)] = [
        " ": (0, 0), "█": (0, 1), "▀": (0, 0.5), "▄": (0.5, 0.5),
    ]

    /// Block characters, drawn without the gaps of a font.
    private static func blocks(_ cells: ArraySlice<Cell>, at column: Int, _ color: String) -> String {
        var out = ""
        var start = cells.startIndex
        while start < cells.endIndex {
            let stop = cells[start...].firstIndex { $0.text != cells[start].text } ?? cells.endIndex
            if let block = cells[start].text.first.flatMap({ blocks[$0] }), block.height > 0 {
                out += box(column + start - cells.startIndex, stop - start, color, block.start, block.height)
            }
            start = stop
        }
        return out
    }

    private static func box(
        _ column: Int, _ count: Int, _ color: String, _ start: Double = 0, _ height: Double = 1
    ) -> String {
        let (x, width) = (number(Double(column) * Self.column), number(Double(count) * Self.column))
        let (y, height) = (number(start * Double(row)), number(height * Double(row)))
        return
            #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" fill="\#(color)" shape-rendering="crispEdges"/>"#
    }

    /// A number with at most four digits after the point, which are the same on every run.
    private static func number(_ value: Double) -> String {
        let scaled = Int((value * 10_000).rounded())
        let fraction = String(abs(scaled) % 10_000 + 10_000).dropFirst()
        let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return (scaled < 0 ? "-" : "") + "\(abs(scaled) / 10_000)"
            + (digits.isEmpty ? "" : ".\(digits)")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
