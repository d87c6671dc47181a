import TerminalUI

struct PlainChoice: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case command(CommandName)
        /// Runs a command on a row; the first choice is row 0.
        case row(Int, CommandName)
        /// Asks for a field of the form again.
        case field(Int)
        case save, change
    }

    var action: Action
    var label: String
    /// The letters to type instead of the number: the command's keys on the full screen. The label has the first.
    var letters: [String]
    var obstacle: String?

    init(_ action: Action, _ label: String, letters: [String] = [], obstacle: String? = nil) {
        (self.action, self.label, self.letters, self.obstacle) = (action, label, letters, obstacle)
    }

    func line(number: Int) -> String {
        "\(number). \(label)\(letters.first.map { " (\($0))" } ?? "")\(obstacle.map { " Unavailable: \($0)" } ?? "")"
    }

    /// The screen's commands in table order. Unavailable commands stay in the list, so that numbers don't change.
    static func commands(_ model: Model) -> [PlainChoice] {
        let screen = model.screens[model.top].base
        let hasRows = (model.moving?.rowLabels(model.context).count ?? 0) > 1
        return screen.entries(model.context).compactMap { entry in
            let obstacle: String? = if case .unavailable(let reason) = entry.availability { reason } else { nil }
            switch entry.lineUse {
            case .choice, .row: return PlainChoice(entry.info, obstacle: obstacle)
            case .someRows: return PlainChoice(entry.info, obstacle: hasRows ? nil : obstacle)
            case .whenAvailable: return obstacle == nil ? PlainChoice(entry.info, obstacle: nil) : nil
            case .whenHinted: return entry.isHinted ? PlainChoice(entry.info, obstacle: obstacle) : nil
            case .absent: return nil
            }
        }
    }

    private init(_ command: CommandInfo, obstacle: String?) {
        let letters = command.keys.compactMap(\.typed).map { String($0) }
        // Line mode has no clipboard: the text goes to a private file, after a question.
        let copies = ["copy", "copyToken", "copyAddress", "copyAsCommand"].contains(command.name)
        let label = copies ? Self.saving(command.sentence) : command.sentence
        self.init(.command(command.name), label, letters: letters, obstacle: obstacle)
    }

    private static func saving(_ sentence: String) -> String {
        let saved = sentence.replacing(#/^Copy/#, with: "Save").replacing(" to the clipboard", with: " to a file")
        return saved.contains(" to a file") ? saved : "\(saved.dropLast()) to a file."
    }
}

/// The lines to print, the question and its choices.
struct PlainPage: Sendable, Equatable {
    enum Question: Sendable, Equatable {
        case choice, text(LineQuestion), field(Int)
    }

    var body: [String]
    var question: Question
    var choices: [PlainChoice] = []
    var prompt: String
    var hidesReply = false

    var isSecret: Bool { if case .text(let question) = question { question.isSecret } else { hidesReply } }
}

extension Model {
    /// The screen's lines, with the guided walk.
    var lines: [String] {
        let screen = screens[top]
        let lines = screen.base.lines(context)
        guard screen.cover == .whole, screen.base.showsWalk, let walk = context.walkBelow else { return lines }
        // The walk's comment and next step.
        let comment = walk.stop ?? walk.last.map { "Note: \($0.look)" }
        return lines + [comment ?? "\(walk.title): \(walk.story)", walk.outlook].compactMap(\.self)
    }
}
