import TerminalUI

/// The questions, how they are printed, and how answers become messages.
extension PlainConversation {
    var screen: any ConsoleScreen { model.screens[model.top].base }

    var question: LineQuestion? { (screen as? any PromptingScreen)?.question(model.context) }

    var form: LineForm? { (screen as? any FormScreen)?.form }

    var rowLabels: [String] { model.moving?.rowLabels(model.context) ?? [] }

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
            let changed = zip(numbered, last).filter { $0.0.label != $1.label }.map { "Changed: \($0.0.1)" }
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

    mutating func reply(_ line: String, to page: PlainPage, _ turn: inout Turn) {
        switch page.question {
        case .text(let question):
            isDelivering = question.isDelivered && !line.isEmpty && line != "q"
            hear(.reply(line), &turn)
        case .field(let index):
            if line == "." { return hear(.command("back"), &turn) }
            // The finding is about the previous answer.
            let filled = form?.fields.dropFirst(index).first
            if line.isEmpty, filled?.isWrong == true, filled?.canStay == false {
                return turn.say("Type a new answer, or enter . to go back.")
            }
            hear(.reply(line), &turn)
            isJudging = true
        case .choice: readChoice(line, page, &turn)
        }
    }

    private mutating func readChoice(_ line: String, _ page: PlainPage, _ turn: inout Turn) {
        if line == "?" { return readAgain() }
        if line.isEmpty || pending != nil && ["b", "q"].contains(line) {
            pending = nil
            isChoosingField = false
            return
        }
        let number = Int(line).map { $0 - 1 }
        let choice = page.choices.enumerated().first { index, choice in
            index == number || choice.letters.contains(line)
        }?.element
        guard let choice else {
            let last = page.choices.count
            return turn.say(
                "\"\(Printable.sanitize(line.prefix(60)))\" isn't a choice. Enter 1 to \(last), or ? for the list.")
        }
        if let obstacle = choice.obstacle { return turn.say("Unavailable: \(obstacle)") }
        perform(choice.action, &turn)
    }

    private mutating func perform(_ action: PlainChoice.Action, _ turn: inout Turn) {
        switch action {
        case .row(let row, let command):
            pending = nil
            hear(.select(row: row), &turn)
            // A text row asks for its text first.
            guard question == nil else { return }
            hear(.command(command), &turn)
            if let rest = rowChoices?.rest { hear(.select(row: rest), &turn) }
        case .command(let name):
            let use = screen.entry(name, model.context)?.lineUse
            guard rowLabels.count > 1, [.row, .someRows].contains(use) else { return hear(.command(name), &turn) }
            pending = name
        case .change: isChoosingField = true
        case .field(let wanted):
            isChoosingField = false
            focus(wanted, &turn)
        case .save:
            guard let form else { return }
            focus(form.fields.count - 1, &turn)
            field = nil
            hear(.command("submit"), &turn)
        }
    }

    /// Prints the validation of an answer. Asks again for an invalid one, then for missing ones.
    mutating func settleForm(_ turn: inout Turn) {
        guard isJudging, !screen.isBusy(model.context), let form, let judged = field else { return }
        isJudging = false
        if let finding = form.fields[judged].finding { turn.say(Printable.sanitize(finding)) }
        field = nil
        if form.fields[judged].isWrong { return field = judged }
        if let obstacle = form.obstacle { focus(obstacle, &turn) }
    }

    private mutating func focus(_ wanted: Int, _ turn: inout Turn) {
        hear(.select(row: wanted), &turn)
        field = wanted
    }
}
