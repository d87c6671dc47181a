import Diagnosis
import TerminalUI

extension Destination {
    /// - Parameters:
    ///   - source: a text, or the name of its file.
    ///   - hidden: what the user hides in the copy.
    static func review(of source: String, hiding hidden: [String] = []) -> Destination {
        Destination(ReviewState(source: source, hidden: hidden)) { .review(source, hiding: hidden, $0.profile) }
    }
}

/// Original and redacted copy, line by line.
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
        for (index, line) in lines.enumerated() where index < rect.height {
            surface.writeLine(line, in: rect.row(index))
        }
        if reviewed != nil { list(in: rect, context).draw(on: &surface) }
    }

    /// Below the counts.
    private func list(in rect: Rect, _ context: Context) -> ReviewedLines {
        let head = StyledLine.wrap(Printable.sanitize(reviewed?.changes ?? ""), to: rect.width).count
        return ReviewedLines(
            rows: rows(context), pane: pane, glyphs: context.glyphs,
            rect: rect.height > head ? rect.splitTop(head).rest : rect)
    }

    func shown(_ context: Context) -> ShownList? {
        reviewed == nil ? nil : list(in: context.frame.body, context).shown
    }

    static let commands: [Command] =
        [
            Command(
                "redact", .verb(.export), "Export the copy.", hint: "export",
                if: { state, _ in Availability(state.reviewed != nil, else: "There is nothing to copy.") }
            ) { state, _ in
                .open(
                    .export(
                        Export.copies(
                            of: state.source, file: state.reviewed?.name, hiding: state.hidden,
                            hasRequests: state.reviewed?.hasRequests ?? false)))
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
        ShownList(
            area: rect, first: window.lowerBound,
            rows: window.flatMap { Array(repeating: Optional($0), count: height) })
    }

    func draw(on surface: inout Surface) {
        for index in window {
            let area = rect.row((index - window.lowerBound) * height)
            let (line, sides) = (rows[index], area.splitLeft(Self.margin).rest)
            let style: Style = line.original == line.copy ? .muted : .text
            let half = height == 1 ? (sides.width - 3) / 2 : sides.width
            let same = sameStart(of: line, besides: half)
            surface.writeLine(StyledLine(fit(line.original, from: same, half), style), in: sides)
            let right = height == 1 ? sides.splitLeft(half).rest : rect.row(area.origin.y - rect.origin.y + 1)
            if height == 1 { surface.writeLine(StyledLine(" \(glyphs.vertical) ", .border), in: right) }
            surface.writeLine(
                StyledLine(fit(line.copy, from: same, half), style),
                in: right.splitLeft(height == 1 ? 3 : Self.margin).rest)
            if index == pane.selection { surface.select(area) }
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
