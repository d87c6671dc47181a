import TerminalUI

/// What is asked, and how it is read out.
extension PlainConversation {
    /// What there is to ask; nil while something runs that has to end first.
    var page: PlainPage? {
        if case .signIn(let state) = model.routes.last, model.overlay == nil, model.inspector == nil {
            // At a pipe the lines are for what comes after, unless pasting is the way.
            guard state.takesPastes, !isDelivering, isInteractive || state.way == .paste else { return nil }
            return PlainPage(body: [], question: .paste, prompt: "Paste the address, or q to cancel: ", isSecret: true)
        }
        guard !model.isBusy else { return nil }
        if model.takesText {
            return PlainPage(body: [], question: .text, prompt: "\(textTitle): ", isSecret: isTokenAsked)
        }
        if case .setUp(let state) = model.routes.last, model.overlay == nil { return formPage(state) }
        if let pending, model.overlay == nil { return rowPage(for: pending) }
        return PlainPage(
            body: PlainBody.lines(model), question: .choice, choices: rowChoices + PlainChoice.commands(model),
            prompt: "Your choice: ")
    }

    private var isTokenAsked: Bool { [.tokenEntry, .pasteEntry].contains(model.focus) }

    /// What is asked for, where the keys go to a text.
    private var textTitle: String {
        guard case .signInForm(let form) = model.routes.last, let field = form.field else { return model.focus.title }
        return "\(SignInFormView.label(field)) (empty keeps \"\(form.text(field))\")"
    }

    /// Rows that are answers themselves.
    private var rowChoices: [PlainChoice] {
        guard model.overlay == nil, model.inspector == nil else { return [] }
        if case .signInForm = model.routes.last {
            return PlainRows.labels(model).enumerated().map { PlainChoice(.row($0), $1) }
        }
        guard case .providers = model.routes.last else { return [] }
        return ProviderChoice.kinds.enumerated().map { row, kind in
            PlainChoice(.row(row), "\(kind.title): \(kind.people).")
        }
    }

    private func rowPage(for command: CommandID) -> PlainPage {
        let rows = PlainRows.labels(model).enumerated().map { PlainChoice(.row($0), $1) }
        return PlainPage(
            body: ["Which one? Empty goes back."], question: .choice, choices: rows, prompt: "Your choice: ")
    }

    private func formPage(_ state: SetUpState) -> PlainPage {
        if isChoosingField {
            let fields = state.shownFields.map { PlainChoice(.field($0), "\($0.title): \(state.draft[$0])") }
            return PlainPage(body: ["Which answer?"], question: .choice, choices: fields, prompt: "Your choice: ")
        }
        guard let field else {
            let commands = PlainChoice.commands(model)
            let choices = [
                PlainChoice(.save, "Save the profile and go on."), PlainChoice(.change, "Change an answer."),
            ]
            return PlainPage(
                body: PlainBody.lines(model), question: .choice, choices: choices + commands, prompt: "Your choice: ")
        }
        let help = state.kind.map { [$0.explanation(of: field), "For example: \($0.example(of: field))"] } ?? []
        let current = state.draft[field]
        let keeps = current.isEmpty ? "A dot goes back." : "Empty keeps \"\(current)\". A dot goes back."
        return PlainPage(body: help + [keeps], question: .text, prompt: "\(field.title): ")
    }

    /// Reads out what is new of the page, then the question.
    mutating func ask(_ page: PlainPage, _ turn: inout Turn) {
        if page != told, page.question != .paste {
            if !page.body.isEmpty { turn.say("") }
            for line in page.body { turn.say(Printable.sanitize(line)) }
            read(page.choices, &turn)
        }
        told = page
        turn.text += page.prompt
        isAsking = true
    }

    private mutating func read(_ choices: [PlainChoice], _ turn: inout Turn) {
        guard !choices.isEmpty else { return }
        let isMenu = choices.contains { if case .command = $0.action { true } else { false } }
        if isMenu, heard[model.focus] == choices { return turn.say("The choices are as before; ? reads them.") }
        turn.say("")
        for (index, choice) in choices.enumerated() { turn.say(Printable.sanitize(choice.line(number: index + 1))) }
        if isMenu { heard[model.focus] = choices }
    }
}
