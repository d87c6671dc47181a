import TerminalUI

/// The sign-in form: methods, scopes and optional parameters, each with its meaning. The selected row stays visible.
struct SignInFormView: ListView {
    private static let labelWidth = 15
    private static let margin = 2

    let form: SignInForm
    @Boxed var context: Context

    private struct Line {
        var text: StyledLine
        /// The row that it belongs to.
        var row: Int?
        var field: SignInForm.Field?
    }

    private static let heightForMeaning = 8

    private func areas(in body: Rect) -> (rest: Rect, bottom: Rect) {
        body.splitBottom(body.height >= Self.heightForMeaning ? 3 : 0)
    }

    func draw(on surface: inout Surface, in body: Rect) {
        let (list, below) = areas(in: body)
        let lines = lines
        let window = window(lines, height: list.height)
        for index in window.rows { draw(lines[index], on: &surface, in: list.row(index - window.rows.lowerBound)) }
        surface.drawMarks(above: window.rows.lowerBound > 0, below: window.rows.upperBound < lines.count, in: list)
        let (rule, meaning) = below.splitTop(1)
        surface.drawRule(in: rule)
        ScrollingText.wrapping(meaningOfSelection, in: meaning, style: .muted).draw(on: &surface, in: meaning)
    }

    /// Centres the selected row, so that its neighbours are visible too.
    private func window(_ lines: [Line], height: Int) -> ListWindow {
        let selected = lines.firstIndex { $0.row == form.selection } ?? 0
        return ListWindow(
            count: lines.count, selected: selected, height: height, previousOffset: max(0, selected - height / 2))
    }

    func shown(in body: Rect) -> ShownList? {
        let area = areas(in: body).rest
        let lines = lines
        let shown = window(lines, height: area.height).rows
        return ShownList(area: area, first: shown.lowerBound, rows: lines[shown].map(\.row))
    }

    private func draw(_ line: Line, on surface: inout Surface, in row: Rect) {
        surface.writeLine(line.text, in: row)
        let isSelected = line.row != nil && line.row == form.selection
        if isSelected {
            surface.write(surface.glyphs.pointer, at: row.origin, in: row)
            surface.restyle(row.splitLeft(Self.margin + Self.labelWidth).left, style: .selection)
            surface.cursor = Surface.Cursor(row.origin, isVisible: false)
        }
        guard let field = line.field else { return }
        let area = row.splitLeft(Self.margin + Self.labelWidth + 1).rest
        form.textField(field).draw(
            on: &surface, in: area, placeholder: provider.placeholder(field), hasFocus: isSelected)
    }

    private var lines: [Line] {
        var lines: [Line] = []
        for (index, row) in form.rows.enumerated() {
            let group = Self.group(row)
            if form.rows[at: index - 1].map(Self.group) != group {
                if !lines.isEmpty { lines.append(Line(text: .empty)) }
                lines.append(Line(text: StyledLine(group, Style(.muted, .bold))))
            }
            lines.append(line(row, index))
        }
        return lines
    }

    private static func group(_ row: SignInForm.Row) -> String {
        switch row {
        case .method: "Sign-in method"
        case .scope, .field(.scopes): "Scopes"
        case .prompt, .field: "Optional"
        }
    }

    private func line(_ row: SignInForm.Row, _ index: Int) -> Line {
        switch row {
        case .method(let subject):
            guard let offer = form.offer(subject) else { return Line(text: .empty, row: index) }
            let marks = offer.isOpen ? ("(•)", "( )") : ("(-)", "(-)")
            let text = choice(
                offer.title, isChosen: subject == .method(form.method), marks: marks, offer.reason,
                style: offer.isOpen ? .text : .muted)
            return Line(text: text, row: index)
        case .scope(let scope):
            let isChosen = form.chosenScopes.contains(scope)
            return Line(text: choice(scope, isChosen: isChosen, marks: ("[x]", "[ ]"), ""), row: index)
        case .prompt:
            let text = TextFitting.fit("Prompt", to: Self.labelWidth)
            let value = Span(form.prompt.title, form.prompt == .promptIfNecessary ? .muted : .text)
            return Line(text: StyledLine([Span("  " + text + " "), value]), row: index)
        case .field(let field):
            let text = TextFitting.fit(Self.label(field), to: Self.labelWidth)
            return Line(text: StyledLine("  " + text), row: index, field: field)
        }
    }

    private func choice(
        _ title: String, isChosen: Bool, marks: (String, String), _ reason: String, style: Style = .text
    ) -> StyledLine {
        let mark = (isChosen ? marks.0 : marks.1).replacing("•", with: context.glyphs.bullet)
        let width = reason.isEmpty ? 0 : Self.labelWidth - 4
        let label = TextFitting.fit(title, to: max(width, DisplayWidth.of(title)))
        return StyledLine([
            Span("  \(mark) ", isChosen ? .accent : style), Span(label, style), Span("  " + reason, .muted),
        ])
    }

    private var meaningOfSelection: String {
        switch form.row {
        case .method(let subject):
            (form.obstacle == nil ? "" : "Unavailable: ") + (form.offer(subject)?.reason ?? "")
        case .scope: "A scope to request. Press Space to select or clear it."
        case .prompt: "Chooses when the sign-in page prompts the user. Press Space or the right arrow key to change."
        case .field(let field): Self.texts(field).meaning
        case nil: ""
        }
    }

    static func label(_ field: SignInForm.Field) -> String { texts(field).label }

    private var provider: ProviderKind { context.profile?.provider ?? .entra }

    private static func texts(_ field: SignInForm.Field) -> (label: String, meaning: String) {
        switch field {
        case .scopes: ("Other scopes", "More scopes to request, separated by spaces.")
        case .loginHint: ("Username", "Username to fill in on the page (login_hint).")
        case .domainHint: ("Domain", "Open this domain's sign-in page directly (domain_hint).")
        case .tenant: ("Tenant", "Name or ID of the tenant to sign in to, for example as a guest.")
        case .claims:
            ("Claims", "Claims request as JSON (OpenID Connect Core §5.5), for example from a claims challenge.")
        }
    }
}

extension ProviderKind {
    fileprivate func placeholder(_ field: SignInForm.Field) -> String {
        switch field {
        case .scopes: "for example \(scopePlaceholder)"
        case .loginHint: "for example ada@\(domain)"
        case .domainHint: "for example \(domain)"
        case .tenant: authorityKind == .aad ? "as in the profile" : "none: this provider has no tenants"
        case .claims:
            "for example "
                + (isMicrosoft
                    ? #"{"access_token":{"acrs":{"essential":true}}}"# : #"{"id_token":{"email":{"essential":true}}}"#)
        }
    }
}
