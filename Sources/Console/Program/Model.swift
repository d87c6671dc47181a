import Foundation
import TerminalUI

/// The state of the program. Only ``update(_:_:)`` changes it.
package struct Model: Sendable, Equatable {
    package var context: Context
    /// The open screens, never empty. The last one takes the keys.
    var screens: [AnyScreen]
    package private(set) var isFinished = false

    package init(root: Root, options: ProgramOptions, size: Size) {
        switch root {
        case .accounts(let profile):
            context = Context(profile: profile, options: options, size: size)
            screens = [AnyScreen(AccountsScreen())]
        case .problem(let problem, let path):
            context = Context(profile: nil, options: options, size: size)
            screens = [AnyScreen(StartProblemScreen(problem: problem, configPath: path))]
        case .unconfigured:
            context = Context(profile: nil, options: options, size: size)
            screens = [AnyScreen(ProviderChoice(isFirst: true))]
        }
        settle()
    }

    /// The kind of the first screen.
    package enum Root: Sendable, Equatable {
        case accounts(ProgramProfile)
        case problem(StartProblem, configPath: String)
        /// No configuration; starts with the set-up.
        case unconfigured
    }

    var top: Int { screens.count - 1 }
    /// The index of the topmost full screen.
    var newest: Int { screens.lastIndex { $0.cover == .whole } ?? 0 }
    /// The index of the topmost screen that isn't an overlay.
    var body: Int { screens.lastIndex { $0.cover != .over } ?? 0 }

    /// The documented name of the active key layer.
    package var layer: String { screens[top].layer }

    package var pace: Pace { screens[newest].base.pace(context) }

    /// The stage for the screen at an index.
    func stage(of index: Int) -> Context.Stage {
        var stage = Context.Stage(
            list: screens[index].base.listName, showsWalk: screens[body].base.showsWalk, isCovered: index != top)
        if index > 0, screens[index].cover == .over {
            let beneath = screens[index - 1]
            stage.menu = Context.Menu(title: beneath.layer, entries: beneath.base.entries(context))
        }
        return stage
    }

    /// Updates the stage for the active screen.
    mutating func settle() { context.stage = stage(of: top) }

    /// Quits and cancels running effects, except removals, which must complete.
    mutating func finish() -> [Effect] {
        isFinished = true
        var ids = screens.flatMap { $0.base.waits }.filter { $0.closing != .leave }.map(\.id)
        if case .reading(let id) = context.accounts.phase { ids.append(id) }
        return ids.map(Effect.cancel)
    }
}
