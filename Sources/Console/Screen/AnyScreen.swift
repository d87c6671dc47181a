import TerminalUI

/// A type-erased screen. Not an enumeration, so that no code has to name every screen.
struct AnyScreen: Sendable, Equatable {
    var base: any ConsoleScreen

    init(_ base: any ConsoleScreen) { self.base = base }

    static func == (one: AnyScreen, other: AnyScreen) -> Bool { one.base.equals(other.base) }

    var cover: Cover { base.cover }

    var layer: String { base.layerName }

    func `as`<S>(_ type: S.Type) -> S? { base as? S }

    /// Changes a part of the screen; returns nil if the screen doesn't have it.
    mutating func change<Part, Result>(
        _ part: Part.Type, _ context: inout Context, _ change: (inout Part, inout Context) -> Result
    ) -> Result? {
        guard var screen = base as? Part else { return nil }
        defer { if let screen = screen as? any ConsoleScreen { base = screen } }
        return change(&screen, &context)
    }
}

/// Members that need no knowledge of the screen's type.
extension ConsoleScreen {
    fileprivate func equals(_ other: any ConsoleScreen) -> Bool { (other as? Self) == self }

    fileprivate var cover: Cover { Self.cover }

    var layerName: String { layer.rawValue }

    func entries(_ context: Context) -> [CommandEntry] {
        let layer = layer
        return (Self.commands + ownCommands(context)).filter { $0.layers.contains(layer) }.map {
            $0.entry(self, context)
        }
    }

    func entry(_ name: CommandName, _ context: Context) -> CommandEntry? {
        command(name, context)?.entry(self, context)
    }

    func commandName(for key: Key, _ context: Context) -> CommandName? {
        let (layer, key) = (layer, context.own.meaning(of: key))
        let isMeant = { (command: Command) in command.layers.contains(layer) && command.info.keys.contains(key) }
        return (Self.commands.first(where: isMeant) ?? ownCommands(context).first(where: isMeant))?.info.name
    }

    private func command(_ name: CommandName, _ context: Context) -> Command? {
        let layer = layer
        let isMeant = { (command: Command) in command.info.name == name && command.layers.contains(layer) }
        return Self.commands.first(where: isMeant) ?? ownCommands(context).first(where: isMeant)
    }

    func key(of name: CommandName, _ context: Context) -> String {
        entry(name, context).map { KeyLabel.text($0.info.keys, ascii: context.options.ascii) } ?? ""
    }

    /// Runs a command, or shows why it's unavailable. Returns nil if the layer has no such command.
    mutating func perform(_ name: CommandName, _ context: inout Context) -> Reaction? {
        guard let command = command(name, context) else { return nil }
        switch command.availability(self, context) {
        case .available: return command.perform(&self, &context)
        case .unavailable(let reason):
            context.notice = Notice(.quiet, reason)
            context.notice?.command = name.text
            return Reaction.none
        }
    }

    static var keyLayers: [KeyTable] {
        Layer.allCases.map { layer in
            KeyTable(
                title: layer.rawValue, howToOpen: howToOpen,
                commands: commands.filter { $0.layers.contains(layer) }.map(\.info))
        }
    }
}

package struct KeyTable: Sendable {
    package var title: String
    /// How the user gets to its screen; empty if it's a dialog.
    var howToOpen: String
    package var commands: [CommandInfo]
}
