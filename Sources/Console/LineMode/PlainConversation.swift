import TerminalUI

/// The terminal program without a screen: the same model, messages and effects, told in lines and led by answers, one
/// question at a time. For screen readers, for terminals that cannot place text, and for scripts.
///
/// A value: what it prints and does follows from what it is given.
package struct PlainConversation: Sendable {
    package enum Event: Sendable, Equatable {
        case message(Message)
        case line(String)
        /// The program was stopped and goes on.
        case continued
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
    let isInteractive: Bool
    /// Lines that no question was asked for yet: at a pipe they are all there from the start.
    var waiting: [String] = []
    var hasEnded = false
    var isAsking = false
    var told: PlainPage?
    /// The choices that were read out, by screen: those that are the same are not read out again unless asked for.
    var heard: [String: [PlainChoice]] = [:]
    /// A command that is about a row, while it is asked which.
    var pending: CommandName?
    /// Which of the form's answers can be changed is being asked.
    var isChoosingField = false
    /// The field of the form that is being answered; nil once all is right, until one is changed.
    var field: Int?
    /// An answer of the form has been given, and what the rules make of it is still to be told.
    var isJudging = false
    /// What was pasted is on its way: the sign-in goes on, or says why not.
    var isDelivering = false

    package init(_ model: Model, teller: PlainTeller, isInteractive: Bool) {
        self.model = model
        self.teller = teller
        self.isInteractive = isInteractive
    }

    /// Whether what is typed now is a secret.
    package var hidesInput: Bool { isAsking && told?.isSecret == true }

    /// The commands that are among the choices on a screen.
    package static func commands(of model: Model) -> [CommandName] {
        PlainChoice.commands(model).compactMap { if case .command(let name) = $0.action { name } else { nil } }
    }

    package mutating func take(_ event: Event) -> Turn {
        var turn = Turn()
        switch event {
        case .message(let message):
            isDelivering = false
            hear(message, &turn)
        case .line("\u{0C}") where isInteractive: readAgain()
        case .line(let line): waiting.append(line)
        case .continued: isAsking = isAsking && !isInteractive
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

    /// Reads the page out once more, with all its choices.
    mutating func readAgain() {
        isAsking = false
        told = nil
        heard = [:]
    }

    private mutating func end(_ turn: inout Turn) {
        hear(.inputEnded, &turn)
    }

    mutating func hear(_ message: Message, _ turn: inout Turn) {
        let tellings = model.screens.flatMap { $0.base.tell(message, teller, model.context) }
        for line in tellings { interject(line, &turn) }
        let (notice, place, remarks) = (model.context.notice, model.newest, newest.remarks.count)
        turn.effects += update(&model, message)
        for remark in newest.remarks.dropFirst(remarks) { interject(remark, &turn) }
        if let new = model.context.notice, new != notice { interject(new.plainText, &turn) }
        guard model.newest != place else { return }
        (field, isChoosingField) = (nil, false)
        if model.newest > place, let form = newest.form(model.context), form.isNew { field = form.focused }
    }

    private var newest: any ConsoleScreen { model.screens[model.newest].base }

    /// What comes while an answer is waited for goes to a line of its own, and the question is put again.
    private mutating func interject(_ text: String, _ turn: inout Turn) {
        if isAsking { turn.say("") }
        isAsking = false
        turn.say(text)
    }
}

extension Notice {
    /// Its severity is a word here.
    fileprivate var plainText: String { Printable.sanitize(severity == .warning ? "Warning: \(text)" : text) }
}
