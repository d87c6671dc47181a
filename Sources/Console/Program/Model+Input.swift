import TerminalUI

/// Keys, pastes and the mouse. The mouse only selects, scrolls and activates hints and tabs, and has no effect on questions.
extension Model {
    mutating func handle(_ event: InputEvent) -> [Effect] {
        // In a window that is too small to show the screen, keys only quit, so that none acts on what isn't visible.
        let isSeen = Frame.fits(context.size)
        switch event {
        case .key(let key): return isSeen ? press(key) : quit(by: [key])
        case .keys(let keys): return isSeen ? press(keys) : quit(by: keys)
        case .paste(let text): return isSeen ? paste(text) : []
        case .mouse(let event): return isSeen ? handle(event) : []
        case .interrupt: return isSeen ? press(.control("c")) : finish()
        case .terminate: return finish(completes: false)
        case .resize(let size): context.size = size
        case .forgotten:
            for index in screens.indices {
                _ = screens[index].change((any Question).self, &context) { question, _ in question.isAwake = true }
            }
        }
        return []
    }

    private mutating func quit(by keys: [Key]) -> [Effect] {
        keys.contains(where: TinyView.quittingKeys.contains) ? finish() : []
    }

    /// Keys that came at once. Those after a question are dropped: they were typed before it was visible. A text that no
    /// field takes is a paste, of which no key is a command.
    private mutating func press(_ keys: [Key]) -> [Effect] {
        if let text = PastedText.unbracketed(keys), !takesText(keys) { return paste(text) }
        var effects: [Effect] = []
        for (index, key) in keys.enumerated() {
            let hadQuestion = screens[top].base is any Question
            effects += press(key)
            guard !hadQuestion, index < keys.count - 1, screens[top].base is any Question else { continue }
            context.notice = Self.tooEarly
            break
        }
        return effects
    }

    private static let tooEarly = Notice(.quiet, "Ignored what was typed before this question.")

    /// Whether the first letter of these keys is typed into a field, or opens one for a search.
    private func takesText(_ keys: [Key]) -> Bool {
        guard let first = keys.first(where: { $0.typed != nil }) else { return false }
        var (screen, context) = (screens[top], context)
        if screen.base.commandName(for: first, context) != nil {
            return [.search, .palette].contains(context.own.meaning(of: first).verb)
        }
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
        if screens[top].as((any Question).self)?.isAwake == false, key != .control("c") {
            context.notice = Self.tooEarly
            return []
        }
        context.notice = nil
        defer { (context.pasted, context.copied, context.offersLeave) = (nil, nil, max(0, context.offersLeave - 1)) }
        let index = top
        if let name = screens[index].base.commandName(for: key, context) { return perform(name) ?? [] }
        let typed = screens[index].change((any TypingScreen).self, &context) { $0.type(key, &$1) }
        if let reaction = typed ?? nil { return follow(reaction, at: index) }
        // Another layout types another letter at this place.
        if let place = key.onUSKeyboard, let name = screens[index].base.commandName(for: place, context) {
            return perform(name) ?? []
        }
        context.notice = Notice(.quiet, noEffect(of: key, on: screens[index].base))
        return []
    }

    private func noEffect(of key: Key, on screen: any ConsoleScreen) -> String {
        let ascii = context.options.ascii
        let label = KeyLabel.text(key, ascii: ascii)
        let place = key.onUSKeyboard ?? key
        if let small = place.lowercased, screen.commandName(for: small, context) != nil {
            return "\(label) has no effect here, unlike \(KeyLabel.text(small)). Is Caps Lock on?"
        }
        let help = screen.entry("help", context).map { " Press \(KeyLabel.text($0.info.keys, ascii: ascii)) for help." }
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
            let tab = screens[top].as((any TabbedScreen).self)?.key(at: event.point, context)
            if let key = hintedKey(at: event.point) ?? tab { return press(key) }
            guard let list = moving?.shownList(context), let row = list.row(at: event.point) else { return [] }
            context.notice = nil
            change((any MovingScreen).self) { screen, context in
                screen.top = list.first
                screen.select(row: row, &context)
            }
            // A double click opens the row, as Enter does.
            let opens = event.kind == .doublePress && screens[top].base.commandName(for: .enter, context) != nil
            if opens { return press(.enter) }
        }
        return []
    }

    private func hintedKey(at point: Point) -> Key? {
        guard !(screens[top].base is any Question) else { return nil }
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
