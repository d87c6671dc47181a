import TerminalUI

/// The questions and how they are printed.
extension PlainConversation {
    /// The active screen.
    var screen: any ConsoleScreen { model.screens[model.top].base }

    /// The question of the active screen, if it asks for a text.
    var question: LineQuestion? { (screen as? any PromptingScreen)?.question(model.context) }

    var form: LineForm? { (screen as? any FormScreen)?.form }

    /// The active screen's rows, as lines.
    var rowLabels: [String] { model.moving?.rowLabels(model.context) ?? [] }

    /// The rows that are choices themselves.
    var rowChoices: RowChoices? { (screen as? any ListScreen)?.rowChoices(model.context) }

    /// The page to print and ask; nil while an effect must finish first.
    var page: PlainPage? {
        let context = model.context
        if let question {
            guard !isDelivering, isInteractive || !question.isOptional else { return nil }
            return PlainPage(body: [], question: .text(question), prompt: "\(question.prompt): ")
        }
        guard !screen.isBusy(context) else { return nil }
        if let form { return formPage(form) }
        if let pending {
            let rows = rowLabels.enumerated().map { PlainChoice(.row($0, pending), $1) }
            return PlainPage(
                body: ["Which one? Press Enter to go back."], question: .choice, choices: rows, prompt: Self.choosing)
        }
        let rows = rowChoices.map { choices in
            choices.labels.enumerated().map { PlainChoice(.row($0, choices.command), $1) }
        }
        return PlainPage(
            body: model.lines, question: .choice, choices: (rows ?? []) + PlainChoice.commands(model),
            prompt: Self.choosing)
    }

    private static let choosing = "Your choice: "

    private func formPage(_ form: LineForm) -> PlainPage {
        if isChoosingField {
            let fields = form.fields.enumerated().map { PlainChoice(.field($0), "\($1.title): \($1.value)") }
            return PlainPage(body: ["Which field?"], question: .choice, choices: fields, prompt: Self.choosing)
        }
        guard let field, let line = form.fields[at: field] else {
            let choices = [
                PlainChoice(.save, "Save the profile and continue."), PlainChoice(.change, "Change a field."),
            ]
            return PlainPage(
                body: model.lines, question: .choice, choices: choices + PlainChoice.commands(model),
                prompt: Self.choosing)
        }
        return PlainPage(
            body: line.help + [Self.keeping(line)], question: .field(field), prompt: "\(line.title): ",
            hidesReply: line.isSecret)
    }

    private static func keeping(_ line: LineForm.Field) -> String {
        if line.value.isEmpty || line.isWrong && !line.canStay { return "Enter . to go back." }
        return "Press Enter to keep \"\(line.value)\"\(line.isWrong ? " anyway" : ""), or enter . to go back."
    }

    /// Prints the page if it's new, then the question.
    mutating func prompt(_ page: PlainPage, _ turn: inout Turn) {
        if page != told {
            if !page.body.isEmpty { turn.say("") }
            for line in page.body { turn.say(Printable.sanitize(line)) }
            read(page.choices, &turn)
        }
        told = page
        turn.text += page.prompt
        isPrompting = true
    }

    private mutating func read(_ choices: [PlainChoice], _ turn: inout Turn) {
        guard !choices.isEmpty else { return }
        let isMenu = choices.contains { if case .command = $0.action { true } else { false } }
        let numbered = choices.enumerated().map { ($1, Printable.sanitize($1.line(number: $0 + 1))) }
        if isMenu, let last = heard[model.layer], last.map(\.action) == choices.map(\.action) {
            let changed = zip(numbered, last).filter { $0.0.label != $1.label }
                .map { "Changed: \($0.0.1)" }
            turn.say(
                changed.isEmpty ? "Same choices as before; enter ? to repeat them." : "Enter ? to repeat the choices.")
            for line in changed { turn.say(line) }
            for ((new, line), old) in zip(numbered, last) where old.obstacle != nil && new.obstacle == nil {
                turn.say("Now available: \(line)")
            }
        } else {
            turn.say("")
            for (_, line) in numbered { turn.say(line) }
        }
        if isMenu { heard[model.layer] = choices }
    }
}
