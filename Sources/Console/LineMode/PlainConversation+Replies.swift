import TerminalUI

/// Converts answers to messages.
extension PlainConversation {
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
            guard isAboutRow(name) else { return hear(.command(name), &turn) }
            pending = name
        case .change: isChoosingField = true
        case .field(let wanted):
            isChoosingField = false
            focus(wanted, &turn)
        case .save:
            guard let form else { return }
            focus(form.fields.count - 1, &turn)
            field = nil
            hear(.command(form.submit), &turn)
        }
    }

    /// Whether the command must ask for a row.
    private func isAboutRow(_ name: CommandName) -> Bool {
        guard rowLabels.count > 1 else { return false }
        return [.row, .someRows].contains(screen.entry(name, model.context)?.lineUse)
    }

    /// Prints the validation of an answer. Asks again for an invalid one, then for missing ones.
    mutating func settleForm(_ turn: inout Turn) {
        guard isJudging, !screen.isBusy(model.context), let form, let judged = field
        else {
            return
        }
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
