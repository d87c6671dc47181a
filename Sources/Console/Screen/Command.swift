import TerminalUI

/// A command with its keys and texts. Dispatch, status line, help, command palette, line mode and `docs/keys.md` all
/// use it.
package struct CommandInfo: Sendable, Equatable {
    package enum Group: String, Sendable, CaseIterable {
        case view = "This view"
        case moving = "Moving"
        case everywhere = "Everywhere"
    }

    package var name: CommandName
    /// The keys; hints show the first.
    package var keys: [Key]
    /// The description for the help, as a sentence.
    package var sentence: String
    /// The label for the status line, in one or two words; nil to omit it there.
    package var hint: String?
    package var group: Group
    /// Whether it deletes something, and so asks first.
    package var isDangerous: Bool
}

/// The name of a command, unique within a key layer. The same command has the same name on every screen.
package struct CommandName: Sendable, Hashable, ExpressibleByStringLiteral {
    package let text: String

    package init(stringLiteral text: String) { self.text = text }
}

extension OwnCommand {
    var name: CommandName { CommandName(stringLiteral: "own \(KeyLabel.text(key))") }
}

/// Whether a command can be used now, or why not, as a sentence.
package enum Availability: Sendable, Equatable {
    case available
    case unavailable(String)

    init(_ isAvailable: Bool, else reason: String) { self = isAvailable ? .available : .unavailable(reason) }
}

/// A command with its current availability.
package struct CommandEntry: Sendable, Equatable {
    package var info: CommandInfo
    /// Whether the status line shows the hint now.
    var isHinted: Bool
    var lineUse: LineUse
    package var availability: Availability
}

/// How line mode offers a command.
package enum LineUse: Sendable, Equatable {
    /// As a numbered choice.
    case choice
    /// As a choice, but only while it's available.
    case whenAvailable
    /// As a choice, but only while its hint is shown.
    case whenHinted
    /// As a choice that asks for a row.
    case row
    /// As a choice that asks for a row, whose availability depends on the row.
    case someRows
    /// Not at all, because it only moves the selection or duplicates another choice.
    case absent
}

/// A command of a screen, with its action and availability.
struct ScreenCommand<S: ConsoleScreen>: Sendable {
    typealias Test<Value> = @Sendable (S, Context) -> Value

    let info: CommandInfo
    fileprivate(set) var layers: Set<S.Layer>
    /// The hint and the sentence at the moment, if they change.
    let hintNow: Test<String?>?
    let sentenceNow: Test<String?>?
    let isHinted: Test<Bool>
    let lineUse: LineUse
    let availability: Test<Availability>
    let perform: @Sendable (inout S, inout Context) -> Reaction

    init(
        _ name: CommandName, _ keys: [Key], _ sentence: String, hint: String? = nil, hintNow: Test<String?>? = nil,
        sentenceNow: Test<String?>? = nil, hintedIf isHinted: @escaping Test<Bool> = { _, _ in true },
        group: CommandInfo.Group = .view, dangerous: Bool = false, inLines lineUse: LineUse = .choice,
        if availability: @escaping Test<Availability> = { _, _ in .available },
        do perform: @escaping @Sendable (inout S, inout Context) -> Reaction
    ) {
        info = CommandInfo(
            name: name, keys: keys, sentence: sentence, hint: hint, group: group, isDangerous: dangerous)
        layers = Set(S.Layer.allCases)
        self.hintNow = hintNow
        self.sentenceNow = sentenceNow
        self.isHinted = isHinted
        self.lineUse = lineUse
        self.availability = availability
        self.perform = perform
    }

    func entry(_ screen: S, _ context: Context) -> CommandEntry {
        var info = info
        info.keys = context.own.with(info.keys)
        info.hint = hintNow?(screen, context) ?? info.hint
        info.sentence = sentenceNow?(screen, context) ?? info.sentence
        return CommandEntry(
            info: info, isHinted: isHinted(screen, context), lineUse: lineUse,
            availability: availability(screen, context))
    }
}

extension Array {
    /// The same commands in these layers only.
    func only<S>(in layers: S.Layer...) -> Self where Element == ScreenCommand<S> {
        map { command in
            var command = command
            command.layers = Set(layers)
            return command
        }
    }
}

extension ConsoleScreen {
    /// The action of a command that only changes its screen.
    static func changing(
        _ change: @escaping @Sendable (inout Self) -> Void
    ) -> @Sendable (inout Self, inout Context) -> Reaction {
        { screen, _ in
            change(&screen)
            return .none
        }
    }
}
