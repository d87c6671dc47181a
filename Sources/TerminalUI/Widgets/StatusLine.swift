/// The bottom row: what is selected, what just happened, which keys help now.
package struct StatusLine: Sendable, Hashable {
    package struct Hint: Sendable, Hashable {
        package var key: String
        package var label: String

        package init(_ key: String, _ label: String) {
            self.key = key
            self.label = label
        }

        fileprivate var spans: [Span] { [Span(key, .key), Span(" " + label, .muted)] }
    }

    package struct Notice: Sendable, Hashable {
        package enum Severity: Sendable, Hashable, CaseIterable {
            case info, success, warning, error
        }

        package var severity: Severity
        package var text: String

        package init(_ severity: Severity, _ text: String) {
            self.severity = severity
            self.text = text
        }
    }

    package var left: String
    package var notice: Notice?
    /// Most useful first: the last ones go when there is too little room.
    package var hints: [Hint]
    /// The one that always stays.
    package var help: Hint

    package init(
        left: String = "", notice: Notice? = nil, hints: [Hint] = [], help: Hint = Hint("?", "help")
    ) {
        self.left = left
        self.notice = notice
        self.hints = hints
        self.help = help
    }

    private static let gap = 2

    package func draw(on surface: inout Surface, in rect: Rect) {
        let row = rect.row(0)
        let (rest, helpArea) = row.splitRight(StyledLine(help.spans).width)
        surface.writeLine(StyledLine(help.spans), in: helpArea)
        let leftWidth = leftColumns(in: rest.width)
        let (leftArea, afterLeft) = rest.splitLeft(leftWidth)
        surface.writeLine(left, in: leftArea, style: .text)
        let middle = leftWidth > 0 ? afterLeft.splitLeft(Self.gap).rest : afterLeft
        let free = middle.splitRight(Self.gap).rest
        let noticeWidth = min(free.width, notice?.line.width ?? 0)
        if let notice { surface.writeLine(notice.line, in: free.splitLeft(noticeWidth).left) }
        let room = free.width - (noticeWidth > 0 ? noticeWidth + Self.gap : 0)
        let shown = StyledLine(fittingHints(room, ellipsis: surface.glyphs.ellipsis))
        surface.writeLine(shown, in: free.splitRight(shown.width).right)
    }

    /// What is selected takes its room in steps, so that the hints seldom move from one selected row to the next.
    private static let step = 8

    /// A notice comes before what is selected, and the hints get at least half of the row when there is none.
    private func leftColumns(in width: Int) -> Int {
        let step = notice == nil ? Self.step : 1
        let wanted = (DisplayWidth.of(left) + step - 1) / step * step
        let limit = notice.map { max(0, width - $0.line.width - 2 * Self.gap) } ?? width / 2
        let granted = min(wanted, limit)
        return granted == wanted || granted >= 8 ? granted : 0
    }

    private func fittingHints(_ width: Int, ellipsis: String) -> [Span] {
        let all = joined(hints)
        if StyledLine(all).width <= width { return all }
        let mark = [Span(ellipsis, .muted)]
        for count in hints.indices.reversed() {
            let spans = count == 0 ? mark : joined(Array(hints.prefix(count))) + [Span(" ")] + mark
            if StyledLine(spans).width <= width { return spans }
        }
        return []
    }

    private func joined(_ hints: [Hint]) -> [Span] {
        Array(hints.map(\.spans).joined(separator: [Span(String(repeating: " ", count: Self.gap))]))
    }
}

extension StatusLine.Notice {
    /// Severity is said by a word as well as by colour.
    package var line: StyledLine {
        switch severity {
        case .info: StyledLine(text, .accent)
        case .success: StyledLine(text, .success)
        case .warning: StyledLine("Warning: " + text, .warning)
        case .error: StyledLine("Error: " + text, .danger)
        }
    }
}
