import TerminalUI

/// What an answer does: the keys and messages that it stands for.
extension PlainConversation {
    mutating func answer(_ line: String, to page: PlainPage, _ turn: inout Turn) {
        switch page.question {
        case .paste: answerPaste(line, &turn)
        case .text: answerText(line, &turn)
        case .choice: answerChoice(line, page, &turn)
        }
    }

    private mutating func press(_ keys: Key..., turn: inout Turn) {
        for key in keys { hear(.input(.key(key)), &turn) }
    }

    private mutating func answerPaste(_ line: String, _ turn: inout Turn) {
        guard !line.isEmpty else { return }
        if line == "q" { return press(.escape, turn: &turn) }
        isDelivering = true
        hear(.input(.paste(line)), &turn)
    }

    private mutating func answerText(_ line: String, _ turn: inout Turn) {
        if case .signInForm = model.routes.last { return answerField(line, &turn) }
        guard case .setUp = model.routes.last else {
            if line.isEmpty { return press(.escape, turn: &turn) }
            press(.end, .control("u"), turn: &turn)
            hear(.input(.paste(line)), &turn)
            return model.takesText ? press(.enter, turn: &turn) : ()
        }
        if line == "." { return press(.escape, turn: &turn) }
        if !line.isEmpty {
            press(.end, .control("u"), turn: &turn)
            hear(.input(.paste(line)), &turn)
        }
        isJudging = true
    }

    /// A field of the sign-in's form; the keys go back to its list.
    private mutating func answerField(_ line: String, _ turn: inout Turn) {
        if !line.isEmpty {
            press(.end, .control("u"), turn: &turn)
            hear(.input(.paste(line)), &turn)
        }
        selectWay(&turn)
    }

    /// On the row of a way the form signs in by that way, so the selection rests on the one that was chosen.
    private mutating func selectWay(_ turn: inout Turn) {
        guard case .signInForm(let form) = model.routes.last else { return }
        hear(.select(row: form.rowOfWay), &turn)
    }

    private mutating func answerChoice(_ line: String, _ page: PlainPage, _ turn: inout Turn) {
        if line == "?" { return readAgain() }
        if line.isEmpty {
            pending = nil
            isChoosingField = false
            return
        }
        let number = Int(line).map { $0 - 1 }
        let choice = page.choices.enumerated().first { $0.offset == number || $0.element.letter == line }?.element
        guard let choice else {
            let last = page.choices.count
            return turn.say("\"\(Printable.sanitize(line))\" is none of the choices: 1 to \(last). ? reads them again.")
        }
        if let obstacle = choice.obstacle { return turn.say("Not now: \(obstacle)") }
        perform(choice.action, &turn)
    }

    private mutating func perform(_ action: PlainChoice.Action, _ turn: inout Turn) {
        switch action {
        case .row(let row):
            hear(.select(row: row), &turn)
            if case .signInForm(let form) = model.routes.last, pending == nil {
                guard form.field == nil else { return }
                give(.chooseRow, &turn)
                return selectWay(&turn)
            }
            let command = pending ?? .chooseProvider
            pending = nil
            give(command, &turn)
        case .command(let command):
            guard PlainRows.isAboutRow(command, model) else { return give(command, &turn) }
            pending = command
        case .change: isChoosingField = true
        case .field(let wanted):
            isChoosingField = false
            focus(wanted, &turn)
        case .save:
            focus(.redirectURI, &turn)
            field = nil
            press(.enter, turn: &turn)
        }
    }

    /// As its key does on the full screen.
    private mutating func give(_ command: CommandID, _ turn: inout Turn) {
        guard let key = Commands.command(command, on: model.focus)?.keys.first else { return }
        press(key, turn: &turn)
    }

    /// Says what the rules make of an answer. A wrong one is asked for again, then those that are missing.
    mutating func settleForm(_ turn: inout Turn) {
        guard isJudging, !model.isBusy, case .setUp(let state) = model.routes.last, let answered = field else { return }
        isJudging = false
        let finding = state.judgement[answered]
        if let finding, finding.verdict != .notChecked {
            turn.say(Printable.sanitize([finding.fact, finding.fix].compactMap(\.self).joined(separator: " ")))
        }
        field = nil
        if finding?.verdict == .wrong { return field = answered }
        if let obstacle = state.judgement.firstObstacle { focus(obstacle, &turn) }
    }

    private mutating func focus(_ wanted: ProfileDraft.Field, _ turn: inout Turn) {
        guard case .setUp(let state) = model.routes.last else { return }
        let fields = state.shownFields
        guard let from = fields.firstIndex(of: state.focus), let to = fields.firstIndex(of: wanted) else { return }
        for _ in 0..<(to - from + fields.count) % fields.count { press(.tab, turn: &turn) }
        field = wanted
    }
}
