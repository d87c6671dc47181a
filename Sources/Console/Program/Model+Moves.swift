/// Opening and closing screens.
extension Model {
    /// Executes a screen's reaction.
    mutating func follow(_ reaction: Reaction, at index: Int) -> [Effect] {
        if reaction.uncovers { screens.removeAll { $0.cover == .over } }
        return reaction.effects + move(reaction.move, at: index)
    }

    private mutating func move(_ move: Move, at index: Int) -> [Effect] {
        switch move {
        case .stay: return []
        case .open(let destination): return open(destination, at: index + 1)
        case .replace(let destination):
            screens.remove(at: index)
            return open(destination, at: index)
        case .close(let word):
            screens.remove(at: index)
            guard let word else { return [] }
            return follow(screens[index - 1].base.hear(word, &context), at: index - 1)
        case .back: return screens[index].base.stepBack(&context) ? [] : leave(index)
        case .leave: return leave(index)
        case .quit: return index == 0 ? finish() : self.move(.back, at: index)
        case .interrupt:
            guard screens[newest].base.running != nil else { return finish() }
            screens.removeLast(top - newest)
            return leave(top)
        case .run(let name):
            screens.remove(at: index)
            return perform(name) ?? []
        case .home(let destination):
            screens.removeLast(top)
            return destination.map { open($0, at: 1) } ?? []
        case .begin(let profile, let destination):
            screens = [AnyScreen(AccountsScreen())]
            return [context.begin(with: profile)] + (destination.map { open($0, at: 1) } ?? [])
        }
    }

    /// Closes a screen and cancels its effects. The first screen stays.
    private mutating func leave(_ index: Int) -> [Effect] {
        guard index > 0 else { return [] }
        let screen = screens.remove(at: index).base
        guard let id = screen.running else {
            return screen.waits.filter { $0.closing == .cancel }.map { .cancel($0.id) }
        }
        context.stopStep(id)
        context.notice = Notice(.quiet, "Cancelled.")
        return [context.cancel(id)]
    }

    private mutating func open(_ destination: Destination, at index: Int) -> [Effect] {
        // Overlays always lie over all screens.
        let beneath = screens[..<index].lastIndex { $0.cover == .whole }
        let opening = destination.open(&context)
        if let beneath, screens[beneath].base.takes(opening) { return opening.effects }
        let screen = AnyScreen(opening.screen)
        screens.insert(screen, at: screen.cover == .whole ? beneath.map { $0 + 1 } ?? 0 : screens.endIndex)
        return opening.effects
    }

    /// Opens a screen beneath a running flow, whose address must stay visible.
    mutating func showBeneathRunningFlow(_ destination: Destination) -> [Effect] {
        open(destination, at: screens[newest].base.running == nil ? newest + 1 : newest)
    }

    /// Runs a command of the active screen; returns nil if it has no such command.
    mutating func perform(_ name: CommandName) -> [Effect]? {
        let index = top
        return screens[index].base.perform(name, &context).map { follow($0, at: index) }
    }

    /// Delivers a result to the screen that waits for it, covered or not. Ignores stale results.
    mutating func deliver(_ message: Message, to id: EffectID) -> [Effect] {
        guard let index = screens.lastIndex(where: { $0.base.waits.contains { $0.id == id } }) else { return [] }
        return follow(screens[index].base.receive(message, &context), at: index)
    }
}
