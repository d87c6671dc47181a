import Diagnosis
import TerminalUI

/// A page of the authority, drawn with text, at a point of the playback.
struct PageView {
    private let visit: PageVisit
    private let progress: Int
    private let glyphs: Glyphs

    /// - Parameter progress: the ticks since the user began to act.
    init(_ visit: PageVisit, progress: Int, glyphs: Glyphs) {
        self.visit = visit
        self.progress = progress
        self.glyphs = glyphs
    }

    /// - Parameter most: the rows to use at most. A page that needs more has its fields side by side, and less text.
    func lines(_ width: Int, most: Int = .max) -> [StyledLine] {
        let width = max(12, width)
        let inside = width - 4
        let whole = body(inside)
        let content = whole.count + 2 <= most ? whole : tight(inside, rows: max(1, most - 2))
        let title = TextFitting.truncate(Printable.sanitize(visit.title), to: width - 6, ellipsis: glyphs.ellipsis)
        let top = String(repeating: glyphs.horizontal, count: max(0, width - 5 - DisplayWidth.of(title)))
        let heading = StyledLine([
            Span("\(glyphs.topLeft)\(glyphs.horizontal) ", .border), Span(title, .title),
            Span(" \(top)\(glyphs.topRight)", .border),
        ])
        let framed = content.map { line in
            let blank = String(repeating: " ", count: max(0, inside - line.width))
            return StyledLine(
                [Span("\(glyphs.vertical) ", .border)] + line.spans + [Span("\(blank) \(glyphs.vertical)", .border)])
        }
        let bottom = String(repeating: glyphs.horizontal, count: width - 2)
        return [heading] + framed + [StyledLine(glyphs.bottomLeft + bottom + glyphs.bottomRight, .border)]
    }

    private func body(_ width: Int) -> [StyledLine] {
        let fields = visit.fields.flatMap { lines($0, progress: progress(of: $0), width) }
        let buttons = Self.rows(buttons, width)
        return alert(width) + text(width) + fields + (buttons.isEmpty ? [] : [.empty] + buttons)
    }

    /// The alert, the fields side by side and the buttons, with as much of the text as there is room for.
    private func tight(_ width: Int, rows: Int) -> [StyledLine] {
        let buttons = Self.rows(buttons, width)
        let alert = alert(width).prefix(1)
        let half = (width - Self.gap) / 2
        let fields = Self.rows(visit.fields.map { oneLine($0, half) }, width)
        let room = max(0, rows - buttons.count - alert.count)
        return alert + text(width).prefix(max(0, room - fields.count)) + fields.prefix(room) + buttons
    }

    private func alert(_ width: Int) -> [StyledLine] {
        visit.alert.isEmpty ? [] : StyledLine.wrap(Printable.sanitize(visit.alert), to: width, style: .danger)
    }

    private func text(_ width: Int) -> [StyledLine] {
        visit.text.prefix(3).flatMap { StyledLine.wrap(Printable.sanitize($0), to: width, style: .muted) }
    }

    private var buttons: [StyledLine] {
        let isPressed = visit.pressed != nil && progress >= visit.fields.count(where: \.isFilled) * 2 + 1
        return visit.buttons.map { label in
            let isThis = isPressed && label == visit.pressed
            return StyledLine(" [\(Printable.sanitize(label))]", isThis ? Style(.key, .reverse) : .key)
        }
    }

    /// The ticks since the user began with the field.
    private func progress(of field: PageVisit.Field) -> Int {
        progress - (visit.fields.filter(\.isFilled).firstIndex(of: field) ?? 0) * 2
    }

    private static let gap = 2

    /// Pieces side by side, as many as fit.
    private static func rows(_ pieces: [StyledLine], _ width: Int) -> [StyledLine] {
        pieces.reduce(into: [StyledLine]()) { rows, piece in
            if let last = rows.last, last.width + gap + piece.width <= width {
                rows[rows.count - 1].spans += [Span(String(repeating: " ", count: gap))] + piece.spans
            } else {
                rows.append(piece)
            }
        }
    }

    /// A field with its label in one line of at most this width.
    private func oneLine(_ field: PageVisit.Field, _ width: Int) -> StyledLine {
        switch field.kind {
        case .checkbox: return lines(field, progress: progress(of: field), 2 * width + Self.gap).first ?? .empty
        case .text, .password:
            let label = TextFitting.truncate(Printable.sanitize(field.label), to: width / 2, ellipsis: glyphs.ellipsis)
            let typed = typed(field, progress: progress(of: field))
            let room = max(1, width - DisplayWidth.of(label) - 1)
            return StyledLine([
                Span("\(label) ", .muted), Span(TextFitting.fit(typed, to: room), Style(.text, .underline)),
            ])
        }
    }

    /// What the user has typed. It takes two ticks.
    private func typed(_ field: PageVisit.Field, progress: Int) -> String {
        let value = Printable.sanitize(field.value)
        return field.isPrefilled
            ? value : progress >= 2 ? value : progress >= 1 ? String(value.prefix(value.count / 2)) : ""
    }

    private func lines(_ field: PageVisit.Field, progress: Int, _ width: Int) -> [StyledLine] {
        let label = Printable.sanitize(field.label)
        switch field.kind {
        case .checkbox(let isTicked):
            let isShownTicked = isTicked || progress < 1
            let mark = "[\(isShownTicked ? "x" : " ")] "
            let style: Style = isShownTicked ? .text : .warning
            return TextFitting.wrap(label, to: width - mark.count).enumerated().map { row, text in
                StyledLine((row == 0 ? mark : "    ") + text, style)
            }
        case .text, .password:
            let typed = typed(field, progress: progress)
            return [
                StyledLine(TextFitting.truncate(label, to: width), .muted),
                StyledLine(TextFitting.fit(typed, to: width), Style(.text, .underline)),
            ]
        }
    }
}
