import TerminalUI

/// A command with its keys and texts, for dispatch, status line, help, command palette, line mode and `docs/keys.md`.
package struct CommandInfo: Sendable, Equatable {
    package enum Group: String, Sendable, CaseIterable {
        case view = "This view"
        case moving = "Moving"
        case everywhere = "Everywhere"
    }

    package var name: CommandName
    /// The keys; hints show the first.
    package var keys: [Key]
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

package enum Availability: Sendable, Equatable {
    case available, unavailable(String)

    init(_ isAvailable: Bool, else reason: String) { self = isAvailable ? .available : .unavailable(reason) }
}

package struct CommandEntry: Sendable, Equatable {
    package var info: CommandInfo
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
        info = CommandInfo(name: name, keys: keys, sentence: sentence, hint: hint, group: group, isDangerous: dangerous)
        layers = Set(S.Layer.allCases)
        (self.hintNow, self.sentenceNow, self.isHinted) = (hintNow, sentenceNow, isHinted)
        (self.lineUse, self.availability, self.perform) = (lineUse, availability, perform)
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
