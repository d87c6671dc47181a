import Foundation
import TerminalUI

/// Everything that is on the screen. Only ``update(_:_:)`` changes it.
package struct Model: Sendable, Equatable {
    package var context: Context
    /// The first screen, and what was opened over it, the one with the keys last. There is always one.
    var screens: [AnyScreen]
    package private(set) var isFinished = false

    package init(root: Root, options: ProgramOptions, size: Size) {
        switch root {
        case .accounts(let profile):
            context = Context(profile: profile, options: options, size: size)
            screens = [AnyScreen(AccountsScreen())]
        case .problem(let problem, let path):
            context = Context(profile: nil, options: options, size: size)
            screens = [AnyScreen(StartProblemScreen(problem, configPath: path))]
        case .unconfigured:
            context = Context(profile: nil, options: options, size: size)
            screens = [AnyScreen(ProviderChoice(isFirst: true))]
        }
        settle()
    }

    /// What the first screen is.
    package enum Root: Sendable, Equatable {
        case accounts(ProgramProfile)
        case problem(StartProblem, configPath: String)
        /// There is no configuration: the set-up comes first.
        case unconfigured
    }

    var top: Int { screens.count - 1 }
    /// The newest of the screens that are about something themselves.
    var newest: Int { screens.lastIndex { $0.cover == .whole } ?? 0 }
    /// The screen whose body is seen.
    var body: Int { screens.lastIndex { $0.cover != .over } ?? 0 }

    /// How documentation calls the keys that work now.
    package var layer: String { screens[top].layer }

    package var pace: Pace { screens[newest].base.pace(context) }

    /// What a screen is told of the others.
    func stage(of index: Int) -> Context.Stage {
        var stage = Context.Stage(
            list: screens[index].base.listName, showsWalk: screens[body].base.showsWalk, isCovered: index != top)
        if index > 0, screens[index].cover == .over {
            let beneath = screens[index - 1]
            stage.menu = Context.Menu(title: beneath.layer, entries: beneath.base.entries(context))
        }
        return stage
    }

    /// Tells the screen that has the keys of the others.
    mutating func settle() { context.stage = stage(of: top) }

    /// Ends the program; what runs is cancelled, except removals: half a removal helps nobody.
    mutating func finish() -> [Effect] {
        isFinished = true
        var ids = screens.flatMap { $0.base.waits }.filter { $0.closing != .leave }.map(\.id)
        if case .reading(let id) = context.accounts.phase { ids.append(id) }
        return ids.map(Effect.cancel)
    }
}
