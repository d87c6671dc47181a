import Foundation
import TerminalUI

/// The state of the program. Only ``update(_:_:)`` changes it.
package struct Model: Sendable, Equatable {
    package var context: Context
    /// The open screens, never empty. The last one takes the keys.
    var screens: [AnyScreen]
    package private(set) var isFinished = false

    init(_ profile: ProgramProfile?, first: any ConsoleScreen, options: ProgramOptions, size: Size) {
        context = Context(profile: profile, options: options, size: size)
        context.isStepping = options.steps != nil
        screens = [AnyScreen(first)]
        settle()
    }

    package init(_ profile: ProgramProfile, options: ProgramOptions, size: Size) {
        self.init(profile, first: AccountsScreen(), options: options, size: size)
    }

    package init(_ start: ProgramStart, configPath: String = "", options: ProgramOptions, size: Size) {
        switch start {
        case .ready(_, let profile): self.init(profile, options: options, size: size)
        case .scenario(let opened): self.init(opened.profile, options: options, size: size)
        case .unconfigured: self.init(nil, first: ProviderChoice(isFirst: true), options: options, size: size)
        case .problem(let problem, let path):
            let screen = StartProblemScreen(problem: problem, configPath: path)
            self.init(nil, first: screen, options: options, size: size)
        }
        context.configPath = configPath
    }

    var top: Int { screens.count - 1 }
    /// The index of the topmost full screen.
    var newest: Int { screens.lastIndex { $0.cover == .whole } ?? 0 }
    /// The index of the topmost screen that isn't an overlay.
    var body: Int { screens.lastIndex { $0.cover != .over } ?? 0 }

    var moving: (any MovingScreen)? { screens[top].as((any MovingScreen).self) }

    mutating func change<Part>(_ part: Part.Type, _ change: (inout Part, inout Context) -> Void) {
        _ = screens[top].change(part, &context, change)
    }

    /// Follows the reaction of a part of a screen (default: the active one), if it has this part.
    mutating func react<Part>(
        _ part: Part.Type, at index: Int? = nil, _ change: (inout Part, inout Context) -> Reaction
    ) -> [Effect] {
        let index = index ?? top
        return screens[index].change(part, &context, change).map { follow($0, at: index) } ?? []
    }

    package var layer: String { screens[top].layer }

    package var pace: Pace {
        let pace = screens[newest].base.pace(context)
        return pace == .walking && isCovered ? .still : pace
    }

    /// Whether the newest full screen is covered, so that its playback waits.
    var isCovered: Bool { newest != top }

    func stage(of index: Int) -> Context.Stage {
        var stage = Context.Stage(showsWalk: screens[body].base.showsWalk, isCovered: index != top)
        stage.noticeHeight = min(context.noticeLines(width: context.size.width - 2).count, context.size.height / 3)
        if index > 0, screens[index].cover == .over {
            let beneath = screens[index - 1]
            stage.menu = Context.Menu(title: beneath.layer, entries: beneath.base.entries(context))
        }
        return stage
    }

    mutating func settle() { context.stage = stage(of: top) }

    /// Quits and cancels running effects.
    /// - Parameter completes: whether all removals that the user confirmed still complete, however long a server takes.
    mutating func finish(completes: Bool = true) -> [Effect] {
        guard !isFinished else { return [] }
        (isFinished, context.isStepping) = (true, false)
        var effects = cancelWaits()
        if case .reading(let id) = context.accounts.phase { effects.append(.cancel(id)) }
        guard let removal = context.accounts.removing else { return effects }
        // Nobody is left to release held requests.
        guard completes, context.held[removal.id] == nil else { return effects + [.cancel(removal.id)] }
        return effects + removal.rest.map { context.work(.remove(account: $0.identifier, revokes: removal.revokes)) }
    }

    /// Cancels the effects of all screens, which are closed.
    private mutating func cancelWaits() -> [Effect] {
        screens.flatMap { $0.base.waits }.filter { $0.closing != .leave }.map { context.cancel($0.id) }
    }

    mutating func follow(_ reaction: Reaction, at index: Int) -> [Effect] {
        if reaction.uncovers { screens.removeAll { $0.cover == .over } }
        let saved = context.options.hasClipboard ? [] : reaction.effects.compactMap(\.savedInstead)
        let effects = reaction.effects.filter { context.options.hasClipboard || $0.savedInstead == nil }
        return saved.reduce(effects + move(reaction.move, at: index)) { $0 + open($1) }
    }

    mutating func open(_ destination: Destination) -> [Effect] { open(destination, at: screens.endIndex) }

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
            return react((any HearingScreen).self, at: index - 1) { $0.hear(word, &$1) }
        case .back: return screens[index].base.stepBack(&context) ? [] : leave(index)
        case .leave: return leave(index)
        case .quit: return index == 0 ? finish() : self.move(.back, at: index)
        case .interrupt: return interrupt(at: index)
        case .run(let name):
            screens.remove(at: index)
            return perform(name) ?? []
        case .home(let destination):
            screens.removeLast(top)
            return destination.map { open($0, at: 1) } ?? []
        case .begin(let profile, let destination):
            let cancelled = cancelWaits()
            screens = [AnyScreen(AccountsScreen())]
            return cancelled + context.begin(with: profile) + (destination.map { open($0, at: 1) } ?? [])
        }
    }

    /// Cancels the running effect. Closes a dialog with a field, or asks before typed text is lost; the next Ctrl-C quits.
    private mutating func interrupt(at index: Int) -> [Effect] {
        guard screens[newest].base.activity == nil else {
            screens.removeLast(top - newest)
            return leave(top)
        }
        if context.showAllArrows() { return [] }
        if let keeping = screens[index].as((any KeepingScreen).self)?.keeping { return move(keeping, at: index) }
        let base = screens[index].base
        let isDialog = screens[index].cover == .over && base is any TypingScreen && !(base is any MovingScreen)
        return isDialog ? move(.back, at: index) : finish()
    }

    /// Closes a screen and cancels its effects. The first screen stays.
    private mutating func leave(_ index: Int) -> [Effect] {
        guard index > 0 else { return [] }
        let screen = screens.remove(at: index).base
        if screen is any PlayingScreen { context.walk?.isLeft = true }
        guard let purpose = screen.waits.first(where: { $0.closing == .cancelAndSay }) else {
            return screen.waits.filter { $0.closing == .cancel }.map { .cancel($0.id) }
        }
        context.walk?.stop(purpose.id)
        context.notice = Notice(.quiet, purpose.notice)
        return [context.cancel(purpose.id)]
    }

    private mutating func open(_ destination: Destination, at index: Int) -> [Effect] {
        // Overlays always lie over all screens.
        let beneath = screens[..<index].lastIndex { $0.cover == .whole }
        let opening = destination.open(&context)
        if let beneath, let merged = opening.merging?(screens[beneath].base) {
            screens[beneath].base = merged
            return opening.effects
        }
        let screen = AnyScreen(opening.screen)
        screens.insert(screen, at: screen.cover == .whole ? beneath.map { $0 + 1 } ?? 0 : screens.endIndex)
        return opening.effects
    }

    /// Runs a command of the active screen; returns nil if it has no such command.
    mutating func perform(_ name: CommandName) -> [Effect]? {
        let index = top
        return screens[index].base.perform(name, &context).map { follow($0, at: index) }
    }

    func index(waitingFor id: EffectID) -> Int? { screens.lastIndex { $0.base.waits.contains { $0.id == id } } }

    /// Delivers a result to the screen that waits for it, covered or not. Ignores stale results.
    mutating func deliver(_ result: WorkResult, to id: EffectID, at date: Date) -> [Effect] {
        guard let index = index(waitingFor: id) else { return [] }
        let result = result.noting(context.held[id]?.changed)
        context.advance(to: date)
        if let record = result.record { context.end(id, record) }
        _ = screens[index].change((any WorkingScreen).self, &context) { screen, _ in screen.running = nil }
        return react((any WaitingScreen).self, at: index) { $0.receive(result, &$1) }
    }
}

/// Results of effects that no screen waits for.
extension Model {
    mutating func finish(accounts outcome: Outcome<[AccountSummary]>, of id: EffectID, at date: Date) {
        guard context.accounts.phase == .reading(id) else { return }
        context.advance(to: date)
        switch outcome {
        case .success(let list):
            context.accounts.replace(with: list, at: context.now, selecting: context.defaultAccount)
            context.walk?.note(list)
        case .failure(let report):
            context.accounts.phase = .failed(report)
            // The rows of the last reading hide it.
            if !context.accounts.all.isEmpty { context.notice = Notice(.warning, report.paragraph) }
        }
    }

    mutating func finish(removal outcome: Outcome<String?>, of id: EffectID, at date: Date) -> [Effect] {
        guard var removal = context.accounts.removing, removal.id == id else { return [] }
        context.accounts.removing = nil
        context.advance(to: date)
        context.end(id, outcome.error.map(GuidedWalk.Record.Result.failed) ?? .done)
        switch outcome {
        case .success(let revocation):
            removal.done.append(removal.account)
            let fate = revocation ?? "The browser session and the tokens of other client IDs remain."
            if !removal.revocations.contains(fate) { removal.revocations.append(fate) }
            guard let next = removal.rest.first else {
                context.notice = Notice(.success, removedNotice(removal))
                return [context.readAccounts()]
            }
            (removal.account, removal.rest, removal.wait) = (next, Array(removal.rest.dropFirst()), "")
            return [context.remove(removal)]
        case .failure(let report):
            if !removal.done.isEmpty { context.notice = Notice(.warning, removedNotice(removal)) }
            // Beneath a running flow, whose address must stay visible.
            let place = screens[newest].base.activity == nil ? newest + 1 : newest
            return (removal.done.isEmpty ? [] : [context.readAccounts()])
                + open(.failure(report, .removal(removal)), at: place)
        }
    }

    private func removedNotice(_ removal: AccountsState.Removal) -> String {
        let names = removal.done.count == 1 ? removal.done[0].displayName : "\(removal.done.count) accounts"
        let isDefault = removal.done.contains { $0.identifier == context.defaultAccount }
        return
            (["Removed \(names) from this computer."] + (isDefault ? [AccountSummary.staysDefault] : [])
            + removal.revocations).joined(separator: " ")
    }

    /// Asks whether to save the text to a file if the terminal can't copy it.
    mutating func finish(copy content: Copied, _ outcome: CopyOutcome, at date: Date) -> [Effect] {
        switch outcome {
        case .sent:
            context.copied = content
            let canSave = screens[top].base.entry("saveCopy", context) != nil
            let advice = canSave ? "If it's not there, press \(Verb.save.label) to save a file." : ""
            let sent = "Sent \(content.name) to the terminal's clipboard."
            context.notice = Notice(
                .success, [sent, content.note(at: date), advice].filter { !$0.isEmpty }.joined(separator: " "))
            return []
        case .rejected: return content.isWanted ? open(.save(content)) : []
        }
    }
}

extension Effect {
    /// The question whether to save what can't be copied without a clipboard.
    fileprivate var savedInstead: Destination? {
        if case .work(_, .copy(let text)) = self { return .save(.text(text)) }
        if case .work(_, .copyToken(let acquisition, saves: false)) = self { return .save(.token(acquisition)) }
        return nil
    }
}
