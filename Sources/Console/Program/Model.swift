import Foundation
import MSAL
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
        case problem(Failure, configPath: String)
        /// No configuration; starts with the set-up.
        case unconfigured
    }

    var top: Int { screens.count - 1 }
    /// The index of the topmost full screen.
    var newest: Int { screens.lastIndex { $0.cover == .whole } ?? 0 }
    /// The index of the topmost screen that isn't an overlay.
    var body: Int { screens.lastIndex { $0.cover != .over } ?? 0 }

    /// The active screen, if it has something to move through.
    var moving: (any MovingScreen)? { screens[top].as((any MovingScreen).self) }

    /// Changes a part of the active screen, if it has this part.
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

    /// The documented name of the active key layer.
    package var layer: String { screens[top].layer }

    package var pace: Pace {
        let pace = screens[newest].base.pace(context)
        return pace == .walking && isCovered ? .still : pace
    }

    /// Whether the newest full screen is covered, so that its playback waits.
    var isCovered: Bool { newest != top }

    /// The stage for the screen at an index.
    func stage(of index: Int) -> Context.Stage {
        var stage = Context.Stage(showsWalk: screens[body].base.showsWalk, isCovered: index != top)
        stage.noticeHeight = min(
            NoticeView(context: context).lines(width: context.size.width - 2).count, context.size.height / 3)
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

/// Keys, pastes and the mouse. The mouse only selects, scrolls and activates hints and tabs, and has no effect on questions.
extension Model {
    mutating func handle(_ event: InputEvent) -> [Effect] {
        guard Frame.fits(context.size) else { return handleUnseen(event) }
        switch event {
        case .key(let key):
            return press(key)
        case .keys(let keys):
            return press(keys)
        case .resize(let size):
            context.size = size
            return []
        case .paste(let text):
            return paste(text)
        case .mouse(let event):
            return handle(event)
        case .interrupt:
            return press(.control("c"))
        case .terminate:
            return finish()
        }
    }

    /// In a window that is too small to show the screen, keys only quit, so that none acts on what isn't visible.
    private mutating func handleUnseen(_ event: InputEvent) -> [Effect] {
        switch event {
        case .resize(let size):
            context.size = size
            return []
        case .key(let key): return TinyView.quittingKeys.contains(key) ? finish() : []
        case .keys(let keys): return keys.contains(where: TinyView.quittingKeys.contains) ? finish() : []
        case .interrupt, .terminate: return finish()
        case .paste, .mouse: return []
        }
    }

    /// Keys that came at once. Those after a question are dropped: they were typed before it was visible. A text that no
    /// field takes is a paste, of which no key is a command.
    private mutating func press(_ keys: [Key]) -> [Effect] {
        if let text = PastedText.unbracketed(keys), !takesText(keys) { return paste(text) }
        var effects: [Effect] = []
        for (index, key) in keys.enumerated() {
            let wasAsked = screens[top].base is any Question
            effects += press(key)
            let rest = keys.count - index - 1
            guard !wasAsked, rest > 0, screens[top].base is any Question else { continue }
            context.notice = Notice(.quiet, "Ignored what was typed before this question.")
            break
        }
        return effects
    }

    /// Whether the first of these keys is typed into a field, or opens one for a search.
    private func takesText(_ keys: [Key]) -> Bool {
        guard let first = keys.first else { return false }
        var (screen, context) = (screens[top], context)
        if screen.base.commandName(for: first) != nil { return [.search, .palette].contains(first.verb) }
        return screen.change((any TypingScreen).self, &context) { $0.type(first, &$1) }.flatMap(\.self) != nil
    }

    /// Pastes into the active field. Without one, says what was pasted; the key for an explanation then explains it.
    private mutating func paste(_ text: String) -> [Effect] {
        if screens[top].as((any TypingScreen).self)?.acceptsPaste(context) == true {
            return react((any TypingScreen).self) { $0.paste(text, &$1) }
        }
        let name = PastedText.name(of: text)
        guard let explain = screens[top].base.entry("explain", context) else {
            context.notice = Notice(.quiet, "No field takes \(name) here.")
            return []
        }
        context.pasted = text
        let key = KeyLabel.text(explain.info.keys, ascii: context.options.ascii)
        context.notice = Notice(.quiet, "\(name.prefix(1).uppercased())\(name.dropFirst()): \(key) explains it.")
        return []
    }

    mutating func press(_ key: Key) -> [Effect] {
        context.notice = nil
        defer { (context.pasted, context.offersLeave) = (nil, max(0, context.offersLeave - 1)) }
        let index = top
        if let name = screens[index].base.commandName(for: key) { return perform(name) ?? [] }
        let typed = screens[index].change((any TypingScreen).self, &context) { $0.type(key, &$1) }
        if let reaction = typed ?? nil { return follow(reaction, at: index) }
        // Another layout types another letter at this place.
        if let place = key.onUSKeyboard, let name = screens[index].base.commandName(for: place) {
            return perform(name) ?? []
        }
        context.notice = Notice(.quiet, noEffect(of: key, on: screens[index].base))
        return []
    }

    private func noEffect(of key: Key, on screen: any ConsoleScreen) -> String {
        let ascii = context.options.ascii
        let label = KeyLabel.text(key, ascii: ascii)
        let place = key.onUSKeyboard ?? key
        if let small = place.lowercased, screen.commandName(for: small) != nil {
            return "\(label) has no effect here, unlike \(KeyLabel.text(small)). Is Caps Lock on?"
        }
        let help = screen.entry("help", context).map {
            " Press \(KeyLabel.text($0.info.keys, ascii: ascii)) for help."
        }
        let meaning = place.verb.map { " (\($0.meaning))" } ?? ""
        return "\(label)\(meaning) has no effect here.\(help ?? "")"
    }

    /// The rows to scroll per notch of the mouse wheel.
    private static let notch = 3

    private mutating func handle(_ event: MouseEvent) -> [Effect] {
        switch event.kind {
        case .wheelUp: scroll(by: -1, at: event.point)
        case .wheelDown: scroll(by: 1, at: event.point)
        case .press, .doublePress:
            let key = hintedKey(at: event.point) ?? tab(at: event.point)
            if let key { return press(key) }
            guard let list = moving?.shownList(context), let row = list.row(at: event.point) else { return [] }
            context.notice = nil
            change((any MovingScreen).self) { screen, context in
                screen.top = list.first
                screen.select(row: row, &context)
            }
            // A double click opens the row, as Enter does.
            if event.kind == .doublePress, screens[top].base.commandName(for: .enter) != nil { return press(.enter) }
        }
        return []
    }

    /// The key of the tab at this point.
    private func tab(at point: Point) -> Key? { screens[top].as((any TabbedScreen).self)?.key(at: point, context) }

    /// The key of the hint at this point of the status line.
    private func hintedKey(at point: Point) -> Key? {
        guard Frame.fits(context.size), !(screens[top].base is any Question) else { return nil }
        return StatusView(self).command(at: point)?.keys.first
    }

    private mutating func scroll(by direction: Int, at point: Point) {
        let index = top
        let scrolled = screens[index].change((any DetailsScreen).self, &context) {
            $0.scroll(by: direction * Self.notch, at: point, $1)
        }
        if scrolled == true { return }
        guard screens[index].base.entry("up", context) != nil else { return }
        context.notice = nil
        change((any MovingScreen).self) { screen, context in
            for _ in 0..<Self.notch { screen.move(direction < 0 ? .up : .down, &context) }
        }
    }
}

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
            screens = [AnyScreen(AccountsScreen())]
            return [context.begin(with: profile)] + (destination.map { open($0, at: 1) } ?? [])
        }
    }

    /// Cancels the running effect. Closes a dialog with a field, or asks before typed text is lost; the next Ctrl-C quits.
    private mutating func interrupt(at index: Int) -> [Effect] {
        guard screens[newest].base.running == nil else {
            screens.removeLast(top - newest)
            return leave(top)
        }
        if context.showAllArrows() { return [] }
        if let keeping = screens[index].as((any KeepingScreen).self)?.keeping { return move(keeping, at: index) }
        let isDialog = screens[index].cover == .over && screens[index].base is any TypingScreen
        return isDialog ? move(.back, at: index) : finish()
    }

    /// Closes a screen and cancels its effects. The first screen stays.
    private mutating func leave(_ index: Int) -> [Effect] {
        guard index > 0 else { return [] }
        let screen = screens.remove(at: index).base
        guard let purpose = screen.waits.first(where: { $0.closing == .cancelAndSay }) else {
            return screen.waits.filter { $0.closing == .cancel }.map { .cancel($0.id) }
        }
        context.stopStep(purpose.id)
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

    /// Opens a screen beneath a running flow, whose address must stay visible.
    mutating func showBeneathRunningFlow(_ destination: Destination) -> [Effect] {
        open(destination, at: screens[newest].base.running == nil ? newest + 1 : newest)
    }

    /// Runs a command of the active screen; returns nil if it has no such command.
    mutating func perform(_ name: CommandName) -> [Effect]? {
        let index = top
        return screens[index].base.perform(name, &context).map { follow($0, at: index) }
    }

    private func index(waitingFor id: EffectID) -> Int? {
        screens.lastIndex { $0.base.waits.contains { $0.id == id } }
    }

    /// Delivers the result of an export, or says it if its dialog was closed.
    mutating func deliver(
        _ message: Message, to id: EffectID, orSay export: Export, _ outcome: Outcome<Exported>
    ) -> [Effect] {
        if index(waitingFor: id) == nil {
            switch outcome {
            case .success(let exported): context.notice = exported.notice(of: export.name)
            case .failure(let report): context.notice = Notice(.warning, report.paragraph)
            }
        }
        return deliver(message, to: id)
    }

    /// Delivers the result of an API call. One that was cancelled may already have saved an account.
    mutating func deliver(call message: Message, to id: EffectID) -> [Effect] {
        index(waitingFor: id) == nil ? [context.readAccounts()] : deliver(message, to: id)
    }

    /// Delivers a result to the screen that waits for it, covered or not. Ignores stale results.
    mutating func deliver(_ message: Message, to id: EffectID) -> [Effect] {
        guard let index = index(waitingFor: id) else { return [] }
        return follow(screens[index].base.receive(message, &context), at: index)
    }
}

/// Results of effects that no screen waits for.
extension Model {
    mutating func finish(accounts outcome: Outcome<[AccountSummary]>, of id: EffectID, at date: Date) {
        guard context.accounts.phase == .reading(id) else { return }
        context.advance(to: date)
        switch outcome {
        case .success(let list):
            context.accounts.replace(with: list)
            context.profile?.walk?.note(list)
        case .failure(let report): context.accounts.phase = .failed(report)
        }
    }

    mutating func handle(_ message: Message, offersDeviceCode isOffered: Bool, of id: EffectID) -> [Effect] {
        let index = newest
        guard id == context.learning || id == screens[index].base.running else { return [] }
        context.offersDeviceCode = isOffered
        return follow(screens[index].base.receive(message, &context), at: index)
    }

    mutating func finish(removal outcome: Outcome<Message.Removed>, of id: EffectID, at date: Date) -> [Effect] {
        guard let removal = context.accounts.removing, removal.id == id else { return [] }
        context.accounts.removing = nil
        context.advance(to: date)
        switch outcome {
        case .success:
            context.finishStep(id, .done)
            let isDefault = removal.account.identifier == context.defaultAccount
            context.notice = Notice(.success, Self.removedNotice(removal.account, isDefault: isDefault))
            return [context.readAccounts()]
        case .failure(let report):
            context.finishStep(id, .failed(report))
            return showBeneathRunningFlow(.failure(report, .removal(removal.account)))
        }
    }

    private static func removedNotice(_ account: AccountSummary, isDefault: Bool) -> String {
        "Removed \(account.displayName) from this computer. " + (isDefault ? "\(AccountSummary.staysDefault) " : "")
            + "The browser session and the tokens of other client IDs remain."
    }

    /// Saves the text to a file if the terminal can't copy it.
    mutating func finish(copy text: CopiedText, _ outcome: CopyOutcome) -> [Effect] {
        switch outcome {
        case .sent:
            // A text that isn't in the model can't be saved again.
            let advice = text.text.isEmpty ? "" : "If it's not there, press \(Verb.save.label) to save a file."
            let sent = "Sent \(text.name) to the terminal's clipboard."
            context.notice = Notice(.success, [sent, text.note, advice].filter { !$0.isEmpty }.joined(separator: " "))
            return []
        case .rejected:
            return [.save(context.makeEffectID(), text)]
        }
    }

    mutating func finish(saved text: CopiedText, _ outcome: Outcome<String>) {
        switch outcome {
        case .success(let path):
            context.notice = Notice(.success, "Saved \(text.name) to \(path); only you can read it.")
        case .failure(let report):
            context.notice = Notice(.warning, report.paragraph)
        }
    }
}
