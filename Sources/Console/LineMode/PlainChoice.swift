import TerminalUI

/// One of the numbered answers to a question.
struct PlainChoice: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case command(CommandName)
        /// The row that a command is about; the first choice is row 0.
        case row(Int, CommandName)
        /// The field of the form that is to be answered anew.
        case field(Int)
        case save
        case change
    }

    var action: Action
    var label: String
    /// What may be typed instead of the number: the key of the full screen.
    var letter: String?
    /// Why it cannot be chosen now.
    var obstacle: String?

    init(_ action: Action, _ label: String, letter: String? = nil, obstacle: String? = nil) {
        self.action = action
        self.label = label
        self.letter = letter
        self.obstacle = obstacle
    }

    func line(number: Int) -> String {
        "\(number). \(label)\(letter.map { " (\($0))" } ?? "")\(obstacle.map { " Not now: \($0)" } ?? "")"
    }

    /// The commands that can be given now, in the order of the screen's table: their numbers do not change with what can
    /// be used.
    static func commands(_ model: Model) -> [PlainChoice] {
        let screen = model.screens[model.top].base
        let hasRows = screen.rowLabels(model.context).count > 1
        return screen.entries(model.context).compactMap { entry in
            let obstacle: String? =
                if case .unavailable(let reason) = entry.availability { reason } else { nil }
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
        let letter = command.keys.lazy.compactMap { key -> String? in
            if case .character(let character) = key { String(character) } else { nil }
        }.first
        self.init(.command(command.name), command.sentence, letter: letter, obstacle: obstacle)
    }
}
