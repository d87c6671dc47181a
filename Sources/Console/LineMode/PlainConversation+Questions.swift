import TerminalUI

/// What is asked, and how it is read out.
extension PlainConversation {
    /// The screen that is read out.
    var screen: any ConsoleScreen { model.screens[model.top].base }

    /// What there is to ask; nil while something runs that has to end first.
    var page: PlainPage? {
        let context = model.context
        if let question = screen.question(context) {
            guard !isDelivering, isInteractive || !question.isOptional else { return nil }
            return PlainPage(body: [], question: .text(question), prompt: "\(question.prompt): ")
        }
        guard !screen.isBusy(context) else { return nil }
        if let form = screen.form(context) { return formPage(form) }
        if let pending {
            let rows = screen.rowLabels(context).enumerated().map { PlainChoice(.row($0, pending), $1) }
            return PlainPage(
                body: ["Which one? Empty goes back."], question: .choice, choices: rows, prompt: Self.choosing)
        }
        let rows = screen.rowAnswers.map { answers in
            answers.labels.enumerated().map { PlainChoice(.row($0, answers.command), $1) }
        }
        return PlainPage(
            body: model.lines, question: .choice, choices: (rows ?? []) + PlainChoice.commands(model),
            prompt: Self.choosing)
    }

    private static let choosing = "Your choice: "

    private func formPage(_ form: LineForm) -> PlainPage {
        if isChoosingField {
            let fields = form.fields.enumerated().map { PlainChoice(.field($0), "\($1.title): \($1.answer)") }
            return PlainPage(body: ["Which answer?"], question: .choice, choices: fields, prompt: Self.choosing)
        }
        guard let field, form.fields.indices.contains(field) else {
            let choices = [
                PlainChoice(.save, "Save the profile and go on."), PlainChoice(.change, "Change an answer."),
            ]
            return PlainPage(
                body: model.lines, question: .choice, choices: choices + PlainChoice.commands(model),
                prompt: Self.choosing)
        }
        let asked = form.fields[field]
        let keeps = asked.answer.isEmpty ? "A dot goes back." : "Empty keeps \"\(asked.answer)\". A dot goes back."
        return PlainPage(body: asked.help + [keeps], question: .field(field), prompt: "\(asked.title): ")
    }

    /// Reads out what is new of the page, then the question.
    mutating func ask(_ page: PlainPage, _ turn: inout Turn) {
        if page != told {
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
        if isMenu, heard[model.layer] == choices { return turn.say("The choices are as before; ? reads them.") }
        turn.say("")
        for (index, choice) in choices.enumerated() { turn.say(Printable.sanitize(choice.line(number: index + 1))) }
        if isMenu { heard[model.layer] = choices }
    }
}
