import JSON

/// Frames of a screen with their durations, as a file to play.
package struct Recording: Sendable {
    package enum Format: String, Sendable, CaseIterable {
        /// asciicast v2 (docs.asciinema.org/manual/asciicast/v2).
        case cast
        case svg

        package init?(fileName: String) {
            guard let dot = fileName.lastIndex(of: ".") else { return nil }
            self.init(rawValue: fileName[dot...].dropFirst().lowercased())
        }
    }

    private let title: String
    private let theme: ColorTheme
    private var frames: [(surface: Surface, milliseconds: Int)] = []

    package init(title: String, theme: ScreenTheme = .standard) {
        (self.title, self.theme) = (title, ColorTheme(theme))
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

    package var length: (frames: Int, seconds: Int) {
        (frames.count, (frames.reduce(0) { $0 + $1.milliseconds } + 500) / 1000)
    }

    private var size: Size { frames.first?.surface.size ?? Size(width: 80, height: 24) }

    // asciicast.

    private var cast: String {
        var lines = [#"{"version":2,"width":\#(size.width),"height":\#(size.height),"title":\#(Self.quoted(title))}"#]
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
        "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst())"
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

    private static func trimmed(_ cells: ArraySlice<Cell>) -> ArraySlice<Cell> {
        cells.lastIndex { $0 != .blank }.map { cells[cells.startIndex...$0] } ?? cells.prefix(0)
    }

    // SVG.

    private static let (column, row, margin) = (8.4, 18, 12)
    /// A letter of DejaVu Sans Mono is then as wide as a column, also where `textLength` has no effect (librsvg).
    private static let fontSize = "13.95"

    /// The terminal's own colours, and the eight that programs can name. As text on them has to be readable, white is
    /// brighter as a background.
    private static let (paper, ink) = ("#1d2127", "#d6dae0")
    private static let inks = ["#000000", "#ef7a7a", "#8cc570", "#e2c06c", "#7aa7e8", "#c79be0", "#63c5d6", "#e4e6ea"]
    private static let dim = "#8a929e"

    private static func ground(_ color: Int?) -> String { color.map { $0 == 7 ? "#ffffff" : inks[$0] } ?? paper }

    private var ground: String { Self.ground(theme.look(of: .text).background) }

    /// One strip with all frames side by side, moved frame by frame. Equal rows are drawn once. It draws the same in
    /// every program: no text has spaces, which some programs join, or more than one style, and lines are shapes
    /// instead of letters. Programs without CSS animation, and users who want no motion, see the last frame.
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
            groups.append(#"<g transform="translate(\#(Self.number(Double(index) * width)) 0)">\#(uses)</g>"#)
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
        return """

            @keyframes play{\(steps.joined())}
            .strip{animation:play \(Self.seconds(total))s steps(1,end) infinite}
            @media (prefers-reduced-motion:reduce){.strip{animation:none}}
            """
    }

    private func document(
        _ width: Double, _ height: Int, motion: String, _ rows: [String], _ groups: [String]
    ) -> String {
        let colors = Self.inks.enumerated().map { ".c\($0){fill:\($1)}" }.joined()
        let last = Self.number(-Double(max(0, frames.count - 1)) * width)
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(height)" role="img" \
            font-family="'DejaVu Sans Mono', ui-monospace, Menlo, Consolas, monospace" font-size="\(Self.fontSize)">
            <title>\(Self.escaped(title))</title>
            <style>
            text{fill:\(Self.ink)}.b{font-weight:bold;fill:#ffffff}\(colors)
            .d{fill:\(Self.dim)}.v{fill:\(Self.paper)}\(motion)
            </style>
            <rect width="100%" height="100%" rx="8" fill="\(ground)"/>
            <defs>
            \(rows.joined(separator: "\n"))
            </defs>
            <svg x="\(Self.margin)" y="\(Self.margin)" width="\(Self.number(width - Double(Self.margin)))" height="\(height)">\
            <g class="strip" transform="translate(\(last) 0)">
            \(groups.joined(separator: "\n"))
            </g></svg>
            </svg>

            """
    }

    private func picture(_ cells: ArraySlice<Cell>) -> String {
        Self.runs(Self.trimmed(cells)) { $0.style == $1.style }
            .map { run($0, at: $0.startIndex - cells.startIndex) }.joined()
    }

    private static func runs(_ cells: ArraySlice<Cell>, _ belong: (Cell, Cell) -> Bool) -> [ArraySlice<Cell>] {
        cells.indices.reduce(into: []) { runs, index in
            if let run = runs.last, belong(cells[index - 1], cells[index]) {
                runs[runs.count - 1] = cells[run.startIndex...index]
            } else {
                runs.append(cells[index...index])
            }
        }
    }

    private func run(_ cells: ArraySlice<Cell>, at column: Int) -> String {
        guard let style = cells.first?.style else { return "" }
        let look = theme.look(of: style)
        let isReversed = look.attributes.contains(.reverse)
        let color = look.color.map { Self.inks[$0] } ?? Self.ink
        let behind = isReversed ? color : Self.ground(look.background)
        let paper = behind == ground ? "" : Self.shape(Shape(0, 0, 1, 1), at: column, cells.count, behind)
        let ink = isReversed ? Self.paper : look.attributes.contains(.dim) ? Self.dim : color
        let line =
            look.attributes.contains(.underline)
            ? Self.shape(Shape(0, 0.83, 1, 0.06), at: column, cells.count, ink) : ""
        let classes = [
            isReversed ? "v" : look.color.map { "c\($0)" }, look.attributes.contains(.dim) ? "d" : nil,
            look.attributes.contains(.bold) ? "b" : nil,
        ].compactMap(\.self)
        let attribute = classes.isEmpty ? "" : #" class="\#(classes.joined(separator: " "))""#
        return paper + line + Self.shapes(cells, at: column, ink) + Self.words(cells, at: column, attribute)
    }

    /// The words of a run. One that isn't ASCII is drawn letter by letter, because fonts differ in the width of such letters.
    private static func words(_ cells: ArraySlice<Cell>, at column: Int, _ attribute: String) -> String {
        runs(cells) { [$0, $1].allSatisfy { isLetter($0) && isASCII($0) } }.filter { $0.allSatisfy(isLetter) }
            .map { word in
                let x = number(Double(column + word.startIndex - cells.startIndex) * Self.column)
                let width = number(Double(word.count) * Self.column)
                let length = word.allSatisfy(isASCII) ? #" textLength="\#(width)""# : ""
                let text = escaped(word.map(\.text).joined())
                return #"<text x="\#(x)" y="13"\#(attribute)\#(length)>\#(text)</text>"#
            }.joined()
    }

    private static func isLetter(_ cell: Cell) -> Bool {
        !cell.text.isEmpty && cell.text != " " && shapes(of: cell.text).isEmpty
    }

    private static func isASCII(_ cell: Cell) -> Bool { cell.text.utf8.count == 1 }

    /// A part of a cell's area that is inked: position and size, as parts of the cell.
    private struct Shape: Equatable {
        var x, y, width, height: Double

        init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        /// Whether neighbours of this shape form one.
        var isConnected: Bool { x == 0 && width == 1 }
    }

    /// The shapes of a block or a line; empty for a letter.
    private static func shapes(of text: String) -> [Shape] {
        guard let character = text.first else { return [] }
        if let block = blocks[character] { return [block] }
        if character == "╌" { return [Shape(0.1, 0.47, 0.3, 0.06), Shape(0.6, 0.47, 0.3, 0.06)] }
        guard let arms = lines[character] else { return [] }
        let (left, right, up, down) = (
            arms.contains(.left), arms.contains(.right), arms.contains(.up), arms.contains(.down)
        )
        let (middle, thin, low) = (0.47, 0.06, 0.12)
        let across = Shape(left ? 0 : middle - low / 2, middle, 0, thin)
        let end = right ? 1 : middle + low / 2
        let along = Shape(middle - low / 2, up ? 0 : middle, low, (down ? 1 : middle + thin) - (up ? 0 : middle))
        return (left || right ? [Shape(across.x, across.y, end - across.x, thin)] : []) + (up || down ? [along] : [])
    }

    private struct Arms: OptionSet {
        let rawValue: Int
        static let left = Arms(rawValue: 1)
        static let right = Arms(rawValue: 2)
        static let up = Arms(rawValue: 4)
        static let down = Arms(rawValue: 8)
    }

    private static let blocks: [Character: Shape] = [
        "█": Shape(0, 0, 1, 1), "▀": Shape(0, 0, 1, 0.5), "▄": Shape(0, 0.5, 1, 0.5),
    ]

    private static let lines: [Character: Arms] = [
        "─": [.left, .right], "│": [.up, .down], "┌": [.right, .down], "┐": [.left, .down], "└": [.right, .up],
        "┘": [.left, .up], "├": [.right, .up, .down], "┤": [.left, .up, .down],
    ]

    private static func shapes(_ cells: ArraySlice<Cell>, at column: Int, _ color: String) -> String {
        runs(cells) { $0.text == $1.text && shapes(of: $0.text).allSatisfy(\.isConnected) }.flatMap { run in
            shapes(of: run[run.startIndex].text)
                .map { shape($0, at: column + run.startIndex - cells.startIndex, run.count, color) }
        }.joined()
    }

    private static func shape(_ shape: Shape, at column: Int, _ count: Int, _ color: String) -> String {
        let (x, y) = (number((Double(column) + shape.x) * Self.column), number(shape.y * Double(row)))
        let width = number((shape.isConnected ? Double(count) : shape.width) * Self.column)
        let height = number(shape.height * Double(row))
        return
            #"<rect x="\#(x)" y="\#(y)" width="\#(width)" height="\#(height)" fill="\#(color)" shape-rendering="crispEdges"/>"#
    }

    /// A number with at most four digits after the point, which are the same on every run.
    private static func number(_ value: Double) -> String {
        let scaled = Int((value * 10_000).rounded())
        let fraction = String(abs(scaled) % 10_000 + 10_000).dropFirst()
        let digits = String(fraction.reversed().drop { $0 == "0" }.reversed())
        return (scaled < 0 ? "-" : "") + "\(abs(scaled) / 10_000)" + (digits.isEmpty ? "" : ".\(digits)")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
