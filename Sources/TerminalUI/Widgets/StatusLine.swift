/// The bottom row: selection, notice and key hints.
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
    /// The hints, most useful first. The last ones are omitted if space is short.
    package var hints: [Hint]
    /// The hints that always stay, at the right.
    package var lasting: [Hint]

    package init(
        left: String = "", notice: Notice? = nil, hints: [Hint] = [], lasting: [Hint] = [Hint("?", "help")]
    ) {
        self.left = left
        self.notice = notice
        self.hints = hints
        self.lasting = lasting
    }

    private static let gap = 2

    /// The areas of the line.
    private struct Areas {
        var left, notice, hints, lasting: Rect
        /// The number of hints that fit; a mark replaces the others.
        var count: Int
    }

    /// A clickable part of the line.
    package enum Target: Sendable, Equatable {
        /// The hint with this index in ``hints``.
        case hint(Int)
        /// The hint with this index in ``lasting``.
        case lasting(Int)
    }

    package func draw(on surface: inout Surface, in rect: Rect) {
        let areas = areas(in: rect, ellipsis: surface.glyphs.ellipsis)
        surface.writeLine(StyledLine(joined(lasting)), in: areas.lasting)
        surface.writeLine(left, in: areas.left, style: .text)
        if let notice { surface.writeLine(notice.line, in: areas.notice) }
        surface.writeLine(StyledLine(hintSpans(areas.count, ellipsis: surface.glyphs.ellipsis)), in: areas.hints)
    }

    /// The target at a point of the screen, for a line drawn in `rect`.
    package func target(at point: Point, in rect: Rect, glyphs: Glyphs) -> Target? {
        let areas = areas(in: rect, ellipsis: glyphs.ellipsis)
        if areas.lasting.contains(point) {
            return index(in: lasting, at: point.x - areas.lasting.minX).map(Target.lasting)
        }
        guard areas.hints.contains(point) else { return nil }
        return index(in: Array(hints.prefix(areas.count)), at: point.x - areas.hints.minX).map(Target.hint)
    }

    /// The index of the hint at a column of its row.
    private func index(in hints: [Hint], at column: Int) -> Int? {
        var start = 0
        for (index, hint) in hints.enumerated() {
            let width = StyledLine(hint.spans).width
            if (start..<start + width).contains(column) { return index }
            start += width + Self.gap
        }
        return nil
    }

    private func areas(in rect: Rect, ellipsis: String) -> Areas {
        let row = rect.row(0)
        let (rest, lasting) = row.splitRight(StyledLine(joined(lasting)).width)
        let leftWidth = leftColumns(in: rest.width)
        let (left, afterLeft) = rest.splitLeft(leftWidth)
        let middle = leftWidth > 0 ? afterLeft.splitLeft(Self.gap).rest : afterLeft
        let free = middle.splitRight(Self.gap).rest
        let noticeWidth = min(free.width, notice?.line.width ?? 0)
        let room = free.width - (noticeWidth > 0 ? noticeWidth + Self.gap : 0)
        let count = fittingHints(room, ellipsis: ellipsis)
        let width = count.map { StyledLine(hintSpans($0, ellipsis: ellipsis)).width } ?? 0
        return Areas(
            left: left, notice: free.splitLeft(noticeWidth).left, hints: free.splitRight(width).right,
            lasting: lasting,
            count: count ?? 0)
    }

    /// The width of the selection's text grows in steps, so that the hints rarely move with the selection.
    private static let step = 8

    /// The columns for the left text. A notice takes precedence; without one, the hints get at least half of the row.
    private func leftColumns(in width: Int) -> Int {
        let step = notice == nil ? Self.step : 1
        let wanted = (DisplayWidth.of(left) + step - 1) / step * step
        let limit = notice.map { max(0, width - $0.line.width - 2 * Self.gap) } ?? width / 2
        let granted = min(wanted, limit)
        return granted == wanted || granted >= 8 ? granted : 0
    }

    /// The number of hints that fit beside the mark; nil if not even the mark fits.
    private func fittingHints(_ width: Int, ellipsis: String) -> Int? {
        (0...hints.count).reversed()
            .first { StyledLine(hintSpans($0, ellipsis: ellipsis)).width <= width }
    }

    private func hintSpans(_ count: Int, ellipsis: String) -> [Span] {
        let shown = joined(Array(hints.prefix(count)))
        if count == hints.count { return shown }
        let mark = Span(ellipsis, .muted)
        return shown.isEmpty ? [mark] : shown + [Span(" "), mark]
    }

    private func joined(_ hints: [Hint]) -> [Span] {
        Array(hints.map(\.spans).joined(separator: [Span(String(repeating: " ", count: Self.gap))]))
    }
}

extension StatusLine.Notice {
    /// The notice, with its severity as a word and a colour.
    package var line: StyledLine {
        switch severity {
        case .info: StyledLine(text, .accent)
        case .success: StyledLine(text, .success)
        case .warning: StyledLine("Warning: " + text, .warning)
        case .error: StyledLine("Error: " + text, .danger)
        }
    }
}
