import TerminalUI

/// Line mode: the terminal program as lines of text, one question at a time, with the same model, messages and effects.
/// For screen readers, terminals that can't position text, and scripts. A value: its output depends only on its input.
package struct PlainConversation: Sendable {
    package enum Event: Sendable, Equatable {
        case message(Message)
        /// A line, without its line end.
        case line(String)
        /// SIGCONT: the program continues, and another one may have used the terminal.
        case continued
        case ended
    }

    package struct Turn: Sendable, Equatable {
        package var text = ""
        package var effects: [Effect] = []

        mutating func say(_ line: String) { text += line + "\n" }
    }

    package private(set) var model: Model
    private let teller: PlainTeller
    let isInteractive: Bool
    /// Input lines that no question has consumed yet. A pipe delivers all at once.
    var waiting: [String] = []
    var hasEnded = false
    var isPrompting = false
    var told: PlainPage?
    /// The choices last printed, by key layer. The same choices aren't printed twice unless requested.
    var heard: [String: [PlainChoice]] = [:]
    /// The command to run once the user has chosen a row.
    var pending: CommandName?
    var isChoosingField = false
    /// The field being asked for; nil once all are valid.
    var field: Int?
    var isJudging = false
    var isDelivering = false
    /// Whether lines were typed before a question that opened by itself.
    private var isForgetting = false

    package init(_ model: Model, teller: PlainTeller, isInteractive: Bool) {
        (self.model, self.teller, self.isInteractive) = (model, teller, isInteractive)
        // Nothing is drawn: a question is read whole.
        self.model.context.size = Size(width: model.context.size.width, height: 10_000)
        self.model.context.options.hasClipboard = false
        self.model.context.options.hasTypedInput = isInteractive
    }

    package var hidesInput: Bool { isPrompting && told?.isSecret == true }

    package static func commands(of model: Model) -> [CommandName] {
        PlainChoice.commands(model).compactMap { if case .command(let name) = $0.action { name } else { nil } }
    }

    package mutating func handle(_ event: Event) -> Turn {
        var turn = Turn()
        switch event {
        case .message(let message):
            isDelivering = false
            if case .input(.forgotten) = message { isForgetting = false }
            // As in a shell, Ctrl-C discards what was typed before it.
            if isInteractive, case .input(.interrupt) = message { waiting = [] }
            hear(message, &turn)
        case .line("\u{0C}") where isInteractive: readAgain()
        case .line where isForgetting: break
        case .line(let line): waiting.append(line)
        case .continued: isPrompting = isPrompting && !isInteractive
        case .ended: hasEnded = true
        }
        goOn(&turn)
        // If the program ends while a question is open, end the line for the shell.
        if model.isFinished, isPrompting { turn.say("") }
        return turn
    }

    private mutating func goOn(_ turn: inout Turn) {
        settleForm(&turn)
        while !model.isFinished, let page = page {
            if !isPrompting { prompt(page, &turn) }
            guard !waiting.isEmpty else {
                if hasEnded { hear(.inputEnded, &turn) }
                return
            }
            isPrompting = false
            let line = waiting.removeFirst()
            // The terminal doesn't echo the line end of hidden input either.
            if page.isSecret { turn.say(isInteractive ? "" : "(input hidden)") }
            if !page.isSecret, !isInteractive { turn.say(Printable.sanitize(line)) }
            reply(String(line.drop { $0 == " " }), to: page, &turn)
            settleForm(&turn)
        }
    }

    mutating func readAgain() {
        isPrompting = false
        told = nil
        heard = [:]
    }

    mutating func hear(_ message: Message, _ turn: inout Turn) {
        let tellings = model.screens.flatMap { screen in
            screen.as((any FlowScreen).self)?.tell(message, teller, model.context) ?? []
        }
        for line in tellings { interject(line, &turn) }
        let (notice, place, count) = (model.context.notice, model.newest, remarks.count)
        let effects = update(&model, message)
        turn.effects += effects
        if isInteractive, effects.contains(.forgetTyped) { (waiting, isForgetting) = ([], true) }
        for remark in remarks.dropFirst(count) { interject(remark, &turn) }
        if let new = model.context.notice, new != notice { interject(Printable.sanitize(new.told), &turn) }
        guard model.newest != place else { return }
        (field, isChoosingField) = (nil, false)
        if model.newest > place, let form = (newest as? any FormScreen)?.form, form.isNew { field = form.focused }
    }

    private var remarks: [String] { (newest as? any FlowScreen)?.remarks ?? [] }

    private var newest: any ConsoleScreen { model.screens[model.newest].base }

    /// Prints a message on its own line while a question is open, then repeats the question.
    private mutating func interject(_ text: String, _ turn: inout Turn) {
        if isPrompting { turn.say("") }
        isPrompting = false
        turn.say(text)
    }
}
