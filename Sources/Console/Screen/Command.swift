import TerminalUI

/// Something a person can ask for with a key, and all that is ever said about it: from this come dispatch, status line,
/// help, the command list, line mode and `docs/keys.md`.
package struct CommandInfo: Sendable, Equatable {
    package enum Group: String, Sendable, CaseIterable {
        case view = "This view"
        case moving = "Moving"
        case everywhere = "Everywhere"
    }

    package var name: CommandName
    /// The first is the one that hints name.
    package var keys: [Key]
    /// What it does, as a sentence for the help.
    package var sentence: String
    /// What it does, in a word or two for the status line; nil: not shown there.
    package var hint: String?
    package var group: Group
    /// It destroys something, so it asks first.
    package var isDangerous: Bool
}

/// Unique on a layer of keys. The same thing has the same name on each screen that has it.
package struct CommandName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }
}

/// Whether a command can be used now; if not, why, as a sentence.
package enum Availability: Sendable, Equatable {
    case available
    case unavailable(String)

    init(_ isAvailable: Bool, else reason: String) { self = isAvailable ? .available : .unavailable(reason) }
}

/// A command as it stands now.
package struct CommandEntry: Sendable, Equatable {
    package var info: CommandInfo
    /// Whether the hint says what the command would do now.
    var isHinted: Bool
    var lineUse: LineUse
    package var availability: Availability
}

/// How a command is given in line mode.
package enum LineUse: Sendable, Equatable {
    /// It is one of the numbered answers.
    case choice
    /// One of them where it can be used: a line that nobody can use is one too many.
    case whenAvailable
    /// One of them where its hint counts.
    case whenHinted
    /// It is about a row, so that it is asked which.
    case row
    /// The same, but whether a row knows the command shows when it is chosen.
    case someRows
    /// There is no such answer: it moves about, or another answer does the same.
    case absent
}

/// A row of a screen's table: the command with its own action and availability.
struct ScreenCommand<S: ConsoleScreen>: Sendable {
    typealias Test<Value> = @Sendable (S, Context) -> Value

    let info: CommandInfo
    let layers: Set<S.Layer>
    let isHinted: Test<Bool>
    let lineUse: LineUse
    let availability: Test<Availability>
    let perform: @Sendable (inout S, inout Context) -> Reaction

    init(
        _ name: CommandName, _ keys: [Key], _ sentence: String, hint: String? = nil,
        hintedIf isHinted: @escaping Test<Bool> = { _, _ in true }, group: CommandInfo.Group = .view,
        in layers: [S.Layer] = Array(S.Layer.allCases), dangerous: Bool = false, inLines lineUse: LineUse = .choice,
        if availability: @escaping Test<Availability> = { _, _ in .available },
        do perform: @escaping @Sendable (inout S, inout Context) -> Reaction
    ) {
        info = CommandInfo(
            name: name, keys: keys, sentence: sentence, hint: hint, group: group, isDangerous: dangerous)
        self.layers = Set(layers)
        self.isHinted = isHinted
        self.lineUse = lineUse
        self.availability = availability
        self.perform = perform
    }

    func entry(_ screen: S, _ context: Context) -> CommandEntry {
        CommandEntry(
            info: info, isHinted: isHinted(screen, context), lineUse: lineUse,
            availability: availability(screen, context))
    }
}
