import Diagnosis
import TerminalUI

extension Destination {
    /// - Parameter source: a text, or the name of its file.
    static func review(of source: String) -> Destination {
        Destination { context in
            let id = context.makeEffectID()
            return Opening(
                ReviewState(source: source, running: id),
                [.review(id, source, Redaction.Choices().reviewed, context.profile)])
        }
    }
}

/// Original and redacted copy, line by line. The user keeps or hides each value, at all its places, and exports the copy.
struct ReviewState: ListScreen {
    static var howToOpen: String { "Explain something, then review its copy with \(Verb.edit.label)." }
    enum Layer: String, KeyLayer { case all = "Review" }

    static let cover = Cover.watching

    /// The text or the name of the file.
    let source: String
    private var running: EffectID?
    private var outcome: Outcome<ReviewedCopy>?
    private var choices = Redaction.Choices()
    /// The selected value of the selected line.
    private var value = 0
    var pane = ListPane()

    init(source: String, running: EffectID) {
        self.source = source
        self.running = running
    }

    var waits: [Wait] { running.map { [Wait($0, .cancel)] } ?? [] }

    func title(_ context: Context) -> String { reviewed?.name.map { "Copy of \($0)" } ?? Layer.all.rawValue }

    private var reviewed: ReviewedCopy? {
        guard case .success(let reviewed) = outcome else { return nil }
        return reviewed
    }

    func rows(_ context: Context) -> [CopyReview.Line] {
        let lines = reviewed?.copy.review.lines ?? []
        return lines.matching(pane.filter.text) { "\($0.original) \($0.copy)" }
    }

    func place(_ context: Context) -> String { pane.place(of: rows(context).count) }

    /// The value that a key keeps or hides.
    func selectedValue(_ context: Context) -> CopyReview.Value? {
        guard let values = selected(context)?.values, !values.isEmpty else { return nil }
        return values[value % values.count]
    }

    // MARK: Drawing

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        surface.cursor = Surface.Cursor(rect.origin, isVisible: false)
        switch outcome {
        case nil: surface.writeLine(StyledLine("Reading the input.", .muted), in: rect)
        case .failure(let report):
            for (index, line) in StyledLine.problem(report, width: rect.width, glyphs: context.glyphs).enumerated()
            where index < rect.height {
                surface.writeLine(line, in: rect.row(index))
            }
        case .success: drawLines(on: &surface, in: rect, context)
        }
    }

    private func drawLines(on surface: inout Surface, in rect: Rect, _ context: Context) {
        let sides = ReviewedLines(rows: rows(context), pane: pane, glyphs: context.glyphs)
        sides.draw(on: &surface, in: Self.list(in: rect))
        for (index, line) in footer(context).enumerated() where rect.height > Self.footerHeight {
            surface.writeLine(line, in: rect.row(rect.height - Self.footerHeight + index))
        }
    }

    private static let footerHeight = 2

    private static func list(in rect: Rect) -> Rect {
        rect.height > footerHeight ? rect.splitTop(rect.height - footerHeight).top : rect
    }

    /// The selected value, and the counts.
    private func footer(_ context: Context) -> [StyledLine] {
        let value = selectedValue(context).map { value in
            let text = Printable.sanitize(value.item.text)
            return StyledLine([
                Span("\(value.item.kind)  ", .muted), Span(text),
                Span("  \(Self.word(value))", value.isHidden ? .warning : .success),
            ])
        }
        return [value ?? StyledLine("Nothing on this line is replaced.", .muted), StyledLine(counts, .muted)]
    }

    private static func word(_ value: CopyReview.Value) -> String { value.isHidden ? "hidden" : "kept" }

    private var counts: String {
        guard let copy = reviewed?.copy else { return "" }
        let (hidden, shown) = copy.review.counts
        return "\(hidden) hidden   \(shown) kept   same cause: \(copy.loss == nil ? "yes" : "no")"
    }

    func shown(_ context: Context) -> ShownList? {
        guard reviewed != nil else { return nil }
        return ReviewedLines(rows: rows(context), pane: pane, glyphs: context.glyphs)
            .shown(in: Self.list(in: context.frame.body))
    }

    // MARK: Commands

    static let commands: [Command] =
        [
            Command(
                "keepOrHide", [.character(" ")], "Keep or hide the selected value, at all its places.",
                hint: "keep or hide",
                if: { state, context in
                    Availability(state.selectedValue(context) != nil, else: "Nothing on this line is replaced.")
                }
            ) { $0.toggle(&$1) },
            Command("nextValue", [.tab], "Select the next value of the line.", hint: "next value") { state, _ in
                state.value += 1
                return .none
            },
            Command(
                "redact", .verb(.export), "Export the copy with these choices.", hint: "export",
                if: { state, _ in Availability(state.reviewed != nil, else: "There is nothing to copy.") }
            ) { state, _ in
                .open(.export(Export.copies(of: state.source, file: state.reviewed?.name, state.choices)))
            },
        ] + moving() + finding() + [
            walkOn(isHinted: false), back("Go back.", hint: "back"), close(closingCancels), interrupt,
        ]

    private mutating func toggle(_ context: inout Context) -> Reaction {
        guard running == nil, let value = selectedValue(context) else { return .none }
        if value.isHidden {
            if choices.hidden.remove(value.item) == nil { choices.shown.insert(value.item) }
        } else if choices.shown.remove(value.item) == nil {
            choices.hidden.insert(value.item)
        }
        let id = context.makeEffectID()
        running = id
        return .start(.review(id, source, choices.reviewed, context.profile))
    }

    mutating func go(to position: Int, _ context: inout Context) {
        pane.select(row: position, of: rows(context).count)
        value = 0
    }

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        guard case .reviewed(_, let outcome) = message else { return .none }
        (running, self.outcome) = (nil, outcome)
        return .none
    }

    // MARK: Line mode

    func lines(_ context: Context) -> [String] {
        switch outcome {
        case nil: ["Reading the input."]
        case .failure(let report): ["Not read. \(report.reason) \(report.screenAdvice)"]
        case .success: [counts + "."] + rowLines(context) + [valueLine(context)].compactMap(\.self)
        }
    }

    private func valueLine(_ context: Context) -> String? {
        selectedValue(context).map { "Selected: \($0.item.kind) \(Printable.sanitize($0.item.text)), \(Self.word($0))" }
    }

    func label(_ line: CopyReview.Line, _ context: Context) -> String { Printable.sanitize(line.copy) }
}

/// Original and copy beside each other, or below each other in a narrow window.
private struct ReviewedLines {
    let rows: [CopyReview.Line]
    let pane: ListPane
    let glyphs: Glyphs

    private static let margin = 2
    private static let narrowest = 64

    private func height(in rect: Rect) -> Int { rect.width < Self.narrowest ? 2 : 1 }

    private func window(in rect: Rect) -> Range<Int> {
        ListWindow(
            count: rows.count, selected: pane.selection, height: rect.height / height(in: rect),
            previousOffset: pane.top
        ).rows
    }

    func shown(in rect: Rect) -> ShownList {
        let (rows, height) = (window(in: rect), height(in: rect))
        return ShownList(
            area: rect, first: rows.lowerBound, rows: rows.flatMap { Array(repeating: Optional($0), count: height) })
    }

    func draw(on surface: inout Surface, in rect: Rect) {
        let (shown, height) = (window(in: rect), height(in: rect))
        for index in shown {
            let area = rect.row((index - shown.lowerBound) * height)
            let line = rows[index]
            let isSame = line.original == line.copy
            let style: Style = isSame ? .muted : .text
            let sides = area.splitLeft(Self.margin).rest
            let half = height == 1 ? (sides.width - 3) / 2 : sides.width
            let same = sameStart(of: line, besides: half)
            surface.writeLine(StyledLine(fit(line.original, from: same, half), style), in: sides)
            let copy = StyledLine(fit(line.copy, from: same, half), style)
            if height == 1 {
                let right = sides.splitLeft(half).rest
                surface.writeLine(StyledLine(" \(glyphs.vertical) ", .border), in: right)
                surface.writeLine(copy, in: right.splitLeft(3).rest)
            } else {
                surface.writeLine(
                    copy, in: rect.row((index - shown.lowerBound) * height + 1).splitLeft(Self.margin).rest)
            }
            guard index == pane.selection else { continue }
            surface.write(surface.glyphs.pointer, at: area.origin)
            surface.restyle(area, style: .selection)
            surface.cursor = Surface.Cursor(area.origin, isVisible: false)
        }
    }

    /// How many characters both sides leave out, so that their first difference is visible.
    private func sameStart(of line: CopyReview.Line, besides width: Int) -> Int {
        let same = zip(line.original, line.copy).prefix { $0 == $1 }.count
        let isVisible = line.original == line.copy || same < width * 2 / 3
        return isVisible ? 0 : same - width / 3
    }

    private func fit(_ text: String, from start: Int, _ width: Int) -> String {
        let rest = start == 0 ? text : glyphs.ellipsis + text.dropFirst(start)
        return TextFitting.truncate(Printable.sanitize(rest), to: max(0, width), ellipsis: glyphs.ellipsis)
    }
}
