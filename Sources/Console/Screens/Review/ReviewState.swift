import Diagnosis
import TerminalUI

extension Destination {
    /// - Parameter source: a text, or the name of its file.
    static func review(of source: String, hiding hidden: [String] = []) -> Destination {
        Destination(ReviewState(source: source, hidden: hidden)) { .review(source, hiding: hidden, $0.profile) }
    }
}

struct ReviewState: ListScreen, WorkingScreen {
    static var howToOpen: String { "Explain something, then review its copy with \(Verb.edit.label)." }
    enum Layer: String, KeyLayer { case all = "Review" }

    static let cover = Cover.watching
    static let closing = Wait.Closing.cancel

    let source: String
    let hidden: [String]
    var running: EffectID?
    private var outcome: Outcome<ReviewedCopy>?
    var pane = ListPane()

    init(source: String, hidden: [String]) { (self.source, self.hidden) = (source, hidden) }

    func title(_ context: Context) -> String { reviewed?.name.map { "Copy of \($0)" } ?? Layer.all.rawValue }

    private var reviewed: ReviewedCopy? { try? outcome?.get() }

    func rows(_ context: Context) -> [CopyReview.Line] {
        (reviewed?.lines ?? []).matching(pane.filter.text, isExact: true) { "\($0.original) \($0.copy)" }
    }

    func place(_ context: Context) -> String { pane.place(of: rows(context).count) }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        surface.cursor = Surface.Cursor(rect.origin, isVisible: false)
        let lines =
            switch outcome {
            case nil: [StyledLine("Reading the input.", .muted)]
            case .failure(let report): StyledLine.problem(report, width: rect.width, glyphs: context.glyphs)
            case .success(let copy): StyledLine.wrap(Printable.sanitize(copy.changes), to: rect.width, style: .muted)
            }
        for (index, line) in lines.prefix(rect.height).enumerated() { surface.writeLine(line, in: rect.row(index)) }
        if reviewed != nil { list(in: rect, context).draw(on: &surface) }
    }

    /// Below the counts.
    private func list(in rect: Rect, _ context: Context) -> ReviewedLines {
        let head = StyledLine.wrap(Printable.sanitize(reviewed?.changes ?? ""), to: rect.width).count
        let below = rect.height > head ? rect.splitTop(head).rest : rect
        return ReviewedLines(rows: rows(context), pane: pane, glyphs: context.glyphs, rect: below)
    }

    func shown(_ context: Context) -> ShownList? { reviewed.map { _ in list(in: context.frame.body, context).shown } }

    static let commands: [Command] =
        [
            Command(
                "redact", .verb(.export), "Export the copy.", hint: "export",
                if: { state, _ in Availability(state.reviewed != nil, else: "There is nothing to copy.") }
            ) { state, _ in
                let copies = Export.copies(
                    of: state.source, file: state.reviewed?.name, hiding: state.hidden,
                    hasRequests: state.reviewed?.hasRequests ?? false)
                return .open(.export(copies))
            }
        ] + moving() + finding() + leaving()

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        if case .reviewed(let outcome) = result { self.outcome = outcome }
        return .none
    }

    func lines(_ context: Context) -> [String] {
        switch outcome {
        case nil: ["Reading the input."]
        case .failure(let report): ["Not read. \(report.reason) \(report.screenAdvice)"]
        case .success(let copy): [Printable.sanitize(copy.changes) + "."] + rowLines(context)
        }
    }

    func label(_ line: CopyReview.Line, _ context: Context) -> String { Printable.sanitize(line.copy) }
}

/// Original and copy beside each other, or below each other in a narrow window.
private struct ReviewedLines {
    let rows: [CopyReview.Line]
    let pane: ListPane
    let glyphs: Glyphs
    let rect: Rect

    private static let margin = 2
    private static let narrowest = 64

    private var height: Int { rect.width < Self.narrowest ? 2 : 1 }

    private var window: Range<Int> {
        ListWindow(
            count: rows.count, selected: pane.selection, height: rect.height / height, previousOffset: pane.top
        ).rows
    }

    var shown: ShownList {
        let rows = window.flatMap { Array(repeating: Optional($0), count: height) }
        return ShownList(area: rect, first: window.lowerBound, rows: rows)
    }

    func draw(on surface: inout Surface) {
        for index in window {
            let (line, y) = (rows[index], (index - window.lowerBound) * height)
            let sides = rect.row(y).splitLeft(Self.margin).rest
            let style: Style = line.original == line.copy ? .muted : .text
            let half = height == 1 ? (sides.width - 3) / 2 : sides.width
            let same = sameStart(of: line, besides: half)
            surface.writeLine(fit(line.original, from: same, half), in: sides, style: style)
            let right = height == 1 ? sides.splitLeft(half).rest : rect.row(y + 1)
            if height == 1 { surface.writeLine(" \(glyphs.vertical) ", in: right, style: .border) }
            let copy = right.splitLeft(height == 1 ? 3 : Self.margin).rest
            surface.writeLine(fit(line.copy, from: same, half), in: copy, style: style)
            if index == pane.selection { surface.select(rect.row(y)) }
        }
    }

    /// How many characters both sides leave out, so that their first difference is visible.
    private func sameStart(of line: CopyReview.Line, besides width: Int) -> Int {
        let same = zip(line.original, line.copy).prefix { $0 == $1 }.count
        return line.original == line.copy || same < width * 2 / 3 ? 0 : same - width / 3
    }

    private func fit(_ text: String, from start: Int, _ width: Int) -> String {
        let rest = start == 0 ? text : glyphs.ellipsis + text.dropFirst(start)
        return TextFitting.truncate(Printable.sanitize(rest), to: max(0, width), ellipsis: glyphs.ellipsis)
    }
}
