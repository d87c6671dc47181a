import TerminalUI

/// The terminal program without a screen: the same model, messages and effects, told in lines and led by answers, one
/// question at a time. For screen readers, for terminals that cannot place text, and for scripts.
///
/// A value: what it prints and does follows from what it is given.
package struct PlainConversation: Sendable {
    package enum Event: Sendable, Equatable {
        case message(Message)
        case line(String)
        case ended
    }

    /// What an event leads to.
    package struct Turn: Sendable, Equatable {
        package var text = ""
        package var effects: [Effect] = []

        mutating func say(_ line: String) { text += line + "\n" }
    }

    package private(set) var model: Model
    private let teller: PlainTeller
    private let isInteractive: Bool
    /// Lines that no question was asked for yet: at a pipe they are all there from the start.
    private var waiting: [String] = []
    private var hasEnded = false
    private var isAsking = false
    private var told: PlainPage?
    /// The choices that were read out, by screen: those that are the same are not read out again unless asked for.
    private var heard: [Focus: [PlainChoice]] = [:]
    /// A command that is about a row, while it is asked which.
    private var pending: CommandID?
    /// Which of the set-up's answers can be changed is being asked.
    private var isChoosingField = false
    /// The field of the set-up that is being answered; nil once all is right, until one is changed.
    private var field: ProfileDraft.Field?
    /// An answer of the set-up has been given, and what the rules make of it is still to be told.
    private var isJudging = false
    /// What was pasted is on its way: the sign-in goes on, or says why not.
    private var isDelivering = false

    package init(_ model: Model, teller: PlainTeller, isInteractive: Bool) {
        self.model = model
        self.teller = teller
        self.isInteractive = isInteractive
    }

    /// Whether what is typed now is a secret.
    package var hidesInput: Bool { isAsking && told?.isSecret == true }

    /// The commands that are among the choices on a screen.
    package static func commands(of model: Model) -> [CommandID] {
        PlainChoice.commands(model).compactMap { if case .command(let id) = $0.action { id } else { nil } }
    }

    package mutating func take(_ event: Event) -> Turn {
        var turn = Turn()
        switch event {
        case .message(let message):
            isDelivering = false
            hear(message, &turn)
        case .line(let line): waiting.append(line)
        case .ended: hasEnded = true
        }
        goOn(&turn)
        // What ends the program while a question is open leaves the next line to the shell.
        if model.isFinished, isAsking { turn.say("") }
        return turn
    }

    private mutating func goOn(_ turn: inout Turn) {
        settleForm(&turn)
        while !model.isFinished, let page = page {
            if !isAsking { ask(page, &turn) }
            guard !waiting.isEmpty else {
                if hasEnded { end(&turn) }
                return
            }
            isAsking = false
            let line = waiting.removeFirst()
            // What is hidden is hidden with its line end.
            if page.isSecret { turn.say(isInteractive ? "" : "(not shown)") }
            if !page.isSecret, !isInteractive { turn.say(Printable.sanitize(line)) }
            answer(String(line.drop { $0 == " " }), to: page, &turn)
            settleForm(&turn)
        }
    }

    private mutating func end(_ turn: inout Turn) {
        hear(.inputEnded, &turn)
    }

    private mutating func hear(_ message: Message, _ turn: inout Turn) {
        tell(message, &turn)
        let old = (model.notice, model.routes.count)
        let refused = model.refusals.count
        turn.effects += update(&model, message)
        for refusal in model.refusals.dropFirst(refused) { interject(refusal.line, &turn) }
        if let notice = model.notice, notice != old.0 { interject(notice.plainText, &turn) }
        if model.routes.count != old.1 { (field, isChoosingField) = (nil, false) }
        if case .setUp(let state) = model.routes.last, model.routes.count > old.1 {
            if case .add = state.purpose { field = state.focus }
        }
    }

    /// What comes while an answer is waited for goes to a line of its own, and the question is put again.
    private mutating func interject(_ text: String, _ turn: inout Turn) {
        if isAsking { turn.say("") }
        isAsking = false
        turn.say(text)
    }

    private mutating func tell(_ message: Message, _ turn: inout Turn) {
        switch (message, model.routes.last) {
        case (.flowEvent(let id, let event), .signIn(let state)) where state.id == id:
            for line in teller.step(event, state.way) { interject(line, &turn) }
        case (.flowEvent(let id, let event), .silent(let state)) where state.id == id:
            for line in teller.step(event, .browser) { interject(line, &turn) }
        case (.deviceCode(let id, let shown), .signIn(let state)) where state.id == id:
            interject(teller.code(shown.code), &turn)
        default: break
        }
    }
}

// Questions.
extension PlainConversation {
    /// What there is to ask; nil while something runs that has to end first.
    private var page: PlainPage? {
        if case .signIn(let state) = model.routes.last, model.overlay == nil, model.inspector == nil {
            // At a pipe the lines are for what comes after, unless pasting is the way.
            guard state.takesPastes, !isDelivering, isInteractive || state.way == .paste else { return nil }
            return PlainPage(body: [], question: .paste, prompt: "Paste the address, or q to cancel: ", isSecret: true)
        }
        guard !model.isBusy else { return nil }
        if model.takesText {
            return PlainPage(body: [], question: .text, prompt: "\(textTitle): ", isSecret: isTokenAsked)
        }
        if case .setUp(let state) = model.routes.last { return formPage(state) }
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
            let fields = ProfileDraft.Field.allCases.map { PlainChoice(.field($0), "\($0.title): \(state.draft[$0])") }
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
    private mutating func ask(_ page: PlainPage, _ turn: inout Turn) {
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

// Answers.
extension PlainConversation {
    private mutating func answer(_ line: String, to page: PlainPage, _ turn: inout Turn) {
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
        guard case .signInForm(let form) = model.routes.last, let row = form.rows.firstIndex(of: .way(form.way)) else {
            return
        }
        hear(.select(row: row), &turn)
    }

    private mutating func answerChoice(_ line: String, _ page: PlainPage, _ turn: inout Turn) {
        if line == "?" {
            told = nil
            heard = [:]
            return
        }
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
    private mutating func settleForm(_ turn: inout Turn) {
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
        let count = ProfileDraft.Field.allCases.count
        for _ in 0..<(wanted.rawValue - state.focus.rawValue + count) % count { press(.tab, turn: &turn) }
        field = wanted
    }
}

extension Model {
    fileprivate var refusals: [SignInRefusal] {
        guard case .signIn(let state) = routes.last else { return [] }
        return state.refusals
    }
}

extension Notice {
    /// Its severity is a word here.
    fileprivate var plainText: String { Printable.sanitize(severity == .warning ? "Warning: \(text)" : text) }
}
