import TerminalUI

/// The form in line mode.
extension SetUpState {
    func lines(_ context: Context) -> [String] {
        (problem.map(\.lines) ?? [])
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
        // Enter on a mistake asks whether to save it anyway.
        guard !text.isEmpty else { return isWrong(focus) ? keepWrong(&context) : .none }
        var field = TextField()
        field.insert(text)
        let reaction = edit(field, &context)
        isLeftInLines = Self.tested.contains(focus) && canBeTested
        return isLeftInLines && judging == nil ? goOn(&context) : reaction
    }

    /// An invalid text can't be kept; an authority that failed its test can.
    private mutating func keepWrong(_ context: inout Context) -> Reaction {
        judgement[focus]?.verdict == .failed ? submit(&context) : .open(.saveAnyway)
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
            focused: place(focus), obstacle: judgement.firstObstacle.map(place),
            submit: "submit", isNew: purpose == .add)
    }
}
