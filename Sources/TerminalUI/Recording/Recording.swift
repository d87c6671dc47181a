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
    private var frames: [(surface: Surface, milliseconds: Int)] = []

    package init(title: String) { self.title = title }

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
            #"{"version":2,"width":\#(size.width),"height":\#(size.height),"title":"\#(Self.quoted(title))"}"#
        ]
        var time = 0
        var shown: Surface?
        for frame in frames {
            var output = shown == nil ? "\u{1B}[2J\u{1B}[?25l" : ""
            for y in 0..<size.height where shown.map({ $0.row(y) != frame.surface.row(y) }) ?? true {
                output += "\u{1B}[\(y + 1);1H" + Self.line(frame.surface.row(y)) + "\u{1B}[0m\u{1B}[K"
            }
            lines.append(#"[\#(Self.seconds(time)),"o","\#(Self.quoted(output))"]"#)
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

    private static let theme = ColorTheme(.standard)

    private static func line(_ cells: ArraySlice<Cell>) -> String {
        var style: Style?
        return trimmed(cells).reduce(into: "") { line, cell in
            if cell.style != style {
                style = cell.style
                line += "\u{1B}[0\(codes(of: cell.style))m"
            }
            line += cell.text
        }
    }

    private static func codes(of style: Style) -> String {
        let look = theme.look(of: style)
        let attributes: [(Style.Attributes, Int)] = [(.bold, 1), (.dim, 2), (.underline, 4), (.reverse, 7)]
        let colors = [look.color.map { 30 + $0 }, look.background.map { 40 + $0 }].compactMap(\.self)
        let numbers = attributes.filter { look.attributes.contains($0.0) }.map(\.1) + colors
        return numbers.map { ";\($0)" }.joined()
    }

    /// The cells without blanks at the end.
    private static func trimmed(_ cells: ArraySlice<Cell>) -> ArraySlice<Cell> {
        let last = cells.lastIndex { $0 != .blank }
        return last.map { cells[cells.startIndex...$0] } ?? cells.prefix(0)
    }

    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { quoted, scalar in
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                quoted += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: quoted.unicodeScalars.append(scalar)
            }
        }
    }

    // SVG.

    private static let (column, row, margin) = (8.4, 18, 12)

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
                let content = Self.picture(frame.surface.row(y))
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
        let total = max(1, frames.reduce(0) { $0 + $1.milliseconds })
        var time = 0
        let steps = frames.enumerated().map { index, frame -> String in
            defer { time += frame.milliseconds }
            let part = Self.number(Double(time * 1_000_000 / total) / 10_000)
            return "\(part)%{transform:translateX(\(Self.number(-Double(index) * width))px)}"
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(height)" role="img" \
            font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="14">
            <title>\(Self.escaped(title))</title>
            <style>
            text{white-space:pre;fill:#d6dae0}.c1{fill:#ef7a7a}.c2{fill:#8cc570}.c3{fill:#e2c06c}.c6{fill:#63c5d6}
            .d{fill:#8a929e}.b{font-weight:bold}.u{text-decoration:underline}.v{fill:#1d2127}
            @keyframes play{\(steps.joined())}
            .strip{animation:play \(Self.seconds(total))s steps(1,end) infinite}
            @media (prefers-reduced-motion:reduce){.strip{animation:none;transform:translateX(\(Self.number(-Double(max(0, frames.count - 1)) * width))px)}}
            </style>
            <rect width="100%" height="100%" rx="8" fill="#1d2127"/>
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
    private static func picture(_ cells: ArraySlice<Cell>) -> String {
        let cells = trimmed(cells)
        var out = ""
        var start = cells.startIndex
        while start < cells.endIndex {
            let style = cells[start].style
            var end = start
            while end < cells.endIndex, cells[end].style == style { end += 1 }
            out += run(cells[start..<end], at: start - cells.startIndex)
            start = end
        }
        return out
    }

    private static func run(_ cells: ArraySlice<Cell>, at column: Int) -> String {
        guard let style = cells.first?.style else { return "" }
        let look = theme.look(of: style)
        let text = cells.map(\.text).joined()
        let isReversed = look.attributes.contains(.reverse)
        let x = Double(column) * Self.column
        let width = Double(cells.count) * Self.column
        let paper =
            isReversed
            ? ##"<rect x="\##(number(x))" width="\##(number(width))" height="\##(row)" fill="#d6dae0"/>"## : ""
        let isBlank = text.allSatisfy { $0 == " " } && !look.attributes.contains(.underline)
        guard !isBlank else { return paper }
        let classes = [
            isReversed ? "v" : look.color.map { "c\($0)" }, look.attributes.contains(.dim) ? "d" : nil,
            look.attributes.contains(.bold) ? "b" : nil, look.attributes.contains(.underline) ? "u" : nil,
        ].compactMap(\.self)
        let attribute = classes.isEmpty ? "" : #" class="\#(classes.joined(separator: " "))""#
        return paper
            + #"<text x="\#(number(x))" y="13"\#(attribute) textLength="\#(number(width))">\#(escaped(text))</text>"#
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
