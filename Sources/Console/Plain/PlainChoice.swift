import TerminalUI

/// One of the numbered answers to a question.
struct PlainChoice: Sendable, Equatable {
    enum Action: Sendable, Equatable {
        case command(CommandID)
        /// The row that a command is about; the first choice is row 0.
        case row(Int)
        /// The field that is to be answered anew.
        case field(ProfileDraft.Field)
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

    /// What moves about a screen, or opens a field of it, has no place where there is none.
    private static let ofScreens: Set<CommandID> = [
        .help, .interrupt, .choose, .moveFocus, .nextField, .previousField, .submit, .idTokenTab, .accessTokenTab,
        .previousTab, .keepFilter, .paste, .sendPaste, .chooseProvider,
        .chooseRow, .nextAnswer, .previousAnswer, .reveal, .palette, .runCommand, .readToken, .picture,
    ]

    /// Read out where there is a demonstration only: a line of each page that nobody else can use is one too many.
    private static let ofDemonstrations: Set<CommandID> = [.scenarios, .walkOn]

    /// The commands that can be given now, from the one table, in its order: their numbers do not change with what can be
    /// used.
    static func commands(_ model: Model) -> [PlainChoice] {
        let commands = Commands.on(model.focus).filter { $0.group != .moving && !ofScreens.contains($0.id) }
        let hasClose = commands.contains { $0.id == .close }
        return commands.filter {
            !ofDemonstrations.contains($0.id) || $0.availability(model) == .available
        }
        .filter {
            $0.id != .back || (!hasClose || (model.focus == .accounts && model.accounts.isFiltered))
        }
        .map { command in
            let letter = command.keys.lazy.compactMap { key -> String? in
                if case .character(let character) = key { String(character) } else { nil }
            }.first
            let obstacle: String? =
                switch command.availability(model) {
                case .unavailable(let reason) where !PlainRows.isOfSomeRows(command.id, model): reason
                default: nil
                }
            return PlainChoice(.command(command.id), command.sentence, letter: letter, obstacle: obstacle)
        }
    }
}
