import Diagnosis
import TerminalUI

/// The set-up form: each field with its findings; the focused one with an explanation and an example.
struct SetUpView {
    private enum Row {
        case line(StyledLine)
        case field(ProfileDraft.Field, label: String)
    }

    private static let roomy = 18
    private static let labelWidth = 10

    let state: SetUpState
    @Boxed var context: Context

    /// Enter presses it in the last field.
    private var button: StyledLine {
        let mark = state.isInLastField ? context.glyphs.pointer : " "
        return StyledLine("\(mark) [ \(state.saveLabel) ]", state.isInLastField ? Style(.accent, .bold) : .muted)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let width = body.width - ScrollingText.margin
        let fields = state.shownFields
        let place = fields.firstIndex(of: state.focus) ?? 0
        let blocks = fields.map { block($0, width: width, isRoomy: body.height >= Self.roomy) }
        let rows = top(width).map(Row.line) + Array(blocks.joined()) + [.line(.empty), .line(button)]
        let start = top(width).count + blocks.prefix(place).joined().count
        let last = start + blocks[place].count + (state.isInLastField ? 2 : 0)
        // Shows the whole focused question if it fits, and as much as possible above it.
        let first = max(0, min(start, last - body.height))
        for (y, row) in rows.dropFirst(first).prefix(body.height).enumerated() {
            draw(row, on: &surface, in: body.row(y).splitRight(ScrollingText.margin).rest)
        }
        surface.drawMarks(above: first > 0, below: first + body.height < rows.count, in: body)
    }

    private func draw(_ row: Row, on surface: inout Surface, in rect: Rect) {
        switch row {
        case .line(let line): surface.writeLine(line, in: rect)
        case .field(let field, let label):
            let (left, right) = rect.splitLeft(label.isEmpty ? 2 : Self.labelWidth)
            surface.writeLine(label, in: left, style: labelStyle(field))
            let text = field == state.focus ? state.focused : TextField(state.text(of: field))
            (field == .clientSecret ? text.masked : text).draw(
                on: &surface, in: right, placeholder: field == .name ? state.draft.name : "",
                hasFocus: field == state.focus && !context.stage.isCovered)
        }
    }

    private func labelStyle(_ field: ProfileDraft.Field) -> Style {
        field == state.focus ? Style(.accent, .bold) : Style(.text, .bold)
    }

    private func top(_ width: Int) -> [StyledLine] {
        state.problem.map { StyledLine.problem($0, width: width, glyphs: context.glyphs) + [.empty] } ?? []
    }

    /// A field's rows. Required fields get a numbered label; optional ones take one line.
    private func block(_ field: ProfileDraft.Field, width: Int, isRoomy: Bool) -> [Row] {
        let isQuestion = ProfileDraft.Field.questions.contains(field)
        let isFocused = field == state.focus
        var rows: [Row] = []
        if isQuestion { rows.append(.line(StyledLine("\(field.rawValue + 1)  \(field.title)", labelStyle(field)))) }
        rows.append(.field(field, label: isQuestion ? "" : field.title))
        rows += findingLines(field, width: width, isFocused: isFocused).map { .line($0.indented) }
        if isFocused { rows += explanationLines(field, width: width).map { .line($0.indented) } }
        if isRoomy, isQuestion || isFocused { rows.append(.line(.empty)) }
        return rows
    }

    private func findingLines(_ field: ProfileDraft.Field, width: Int, isFocused: Bool) -> [StyledLine] {
        let lines = state.findings(of: field).flatMap { finding in
            // A well-formed value gets no tick until the authority was tested.
            let isMarked = finding.verdict != .passed || state.isConfirmed
            let mark = isMarked ? finding.verdict.mark(context.glyphs) + " " : ""
            let text = isFocused || field == .authority ? finding.sentences : finding.fact
            return StyledLine.wrap(mark + text, to: width - 2, style: isMarked ? finding.verdict.style : Style(.muted))
        }
        return field == .authority ? completion + lines + testLines(width: width, isFocused: isFocused) : lines
    }

    private var completion: [StyledLine] {
        let address = state.draft.authority
        let isWhole = address.isEmpty || state.text(of: .authority).contains(address)
        return isWhole ? [] : [StyledLine("= \(address)", .muted)]
    }

    private func testLines(width: Int, isFocused: Bool) -> [StyledLine] {
        if case .running = state.test { return [StyledLine("Testing the authority\(context.glyphs.ellipsis)", .muted)] }
        guard !state.text(of: .authority).isEmpty, state.findings(of: .authority).isEmpty else { return [] }
        let text = "Not tested yet.\(isFocused ? " Enter or Tab tests it." : "")"
        return StyledLine.wrap(text, to: width - 2, style: .muted)
    }

    private func explanationLines(_ field: ProfileDraft.Field, width: Int) -> [StyledLine] {
        guard let kind = state.kind else { return [] }
        let texts = [kind.explanation(of: field)] + (field == .name ? [] : ["Example: \(kind.example(of: field))"])
        return texts.flatMap { StyledLine.wrap($0, to: width - 2, style: .muted) }
    }
}

extension SetUpState {
    func text(of field: ProfileDraft.Field) -> String { fields[field]?.text ?? "" }
    var saveLabel: String { purpose == .add || signsInWhenOpened ? "Save and sign in" : "Save" }
    var isInLastField: Bool { focus == shownFields.last }

    // Line mode.

    func lines(_ context: Context) -> [String] {
        (problem?.lines ?? [])
            + shownFields.map { field in
                let findings = findings(of: field).map { " \($0.sentences)" }.joined()
                return "\(field.title): \(draft[field].isEmpty ? "none" : told(field)).\(findings)"
            }
    }

    mutating func focus(field: Int) {
        if saving == nil, let field = shownFields[at: field] { focus = field }
    }

    mutating func reply(_ text: String, _ context: inout Context) -> Reaction {
        guard saving == nil else { return .none }
        guard !text.isEmpty else {
            guard isWrong(focus) else { return .none }
            // An invalid text can't be kept; an authority that failed its test can.
            return judgement[focus]?.verdict == .failed ? submit(&context) : .open(.saveAnyway)
        }
        let reaction = edit(TextField(text), &context)
        isLeftInLines = Self.tested.contains(focus) && canBeTested
        return isLeftInLines && judging == nil ? goOn(&context) : reaction
    }

    var form: LineForm {
        let fields = shownFields
        func place(_ field: ProfileDraft.Field) -> Int { fields.firstIndex(of: field) ?? 0 }
        return LineForm(
            fields: fields.map { field in
                let findings = findings(of: field).map(\.sentences)
                return LineForm.Field(
                    title: field.title, value: told(field), isSecret: field == .clientSecret,
                    help: kind.map { [$0.explanation(of: field), "Example: \($0.example(of: field))"] } ?? [],
                    finding: findings.isEmpty ? nil : findings.joined(separator: " "), isWrong: isWrong(field),
                    canStay: judgement[field]?.verdict != .failed)
            },
            focused: place(focus), obstacle: judgement.firstObstacle.map(place), isNew: purpose == .add)
    }
}
