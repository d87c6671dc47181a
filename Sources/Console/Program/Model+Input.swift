import TerminalUI

/// Keys, pastes and the mouse. The mouse only selects, scrolls and activates hints, and has no effect on questions.
extension Model {
    mutating func take(_ event: InputEvent) -> [Effect] {
        switch event {
        case .key(let key):
            return press(key)
        case .resize(let size):
            context.size = size
            return []
        case .paste(let text):
            let index = top
            return follow(screens[index].base.paste(text, &context), at: index)
        case .mouse(let event):
            return take(event)
        case .interrupt:
            return press(.control("c"))
        case .terminate:
            return finish()
        }
    }

    mutating func press(_ key: Key) -> [Effect] {
        context.notice = nil
        let index = top
        if let name = screens[index].base.commandName(for: key) { return perform(name) ?? [] }
        if let reaction = screens[index].base.type(key, &context) { return follow(reaction, at: index) }
        let ascii = context.options.ascii
        let help = screens[index].base.entry("help", context).map {
            " Press \(KeyLabel.text($0.info.keys, ascii: ascii)) for help."
        }
        context.notice = Notice(.quiet, "\(KeyLabel.text(key, ascii: ascii)) has no effect here.\(help ?? "")")
        return []
    }

    /// The rows to scroll per notch of the mouse wheel.
    private static let notch = 3

    private mutating func take(_ event: MouseEvent) -> [Effect] {
        switch event.kind {
        case .wheelUp: scroll(by: -1, at: event.point)
        case .wheelDown: scroll(by: 1, at: event.point)
        case .press:
            if let key = hintedKey(at: event.point) { return press(key) }
            guard let list = screens[top].base.shownList(context), let row = list.row(at: event.point) else {
                return []
            }
            context.notice = nil
            context.keepInSight(list)
            screens[top].base.select(row: row, &context)
        }
        return []
    }

    /// The key of the hint at this point of the status line.
    private func hintedKey(at point: Point) -> Key? {
        guard Frame.fits(context.size), !(screens[top].base is any Question) else { return nil }
        return StatusView(self).command(at: point)?.keys.first
    }

    private mutating func scroll(by direction: Int, at point: Point) {
        let index = top
        if screens[index].base.scroll(by: direction * Self.notch, at: point, context) { return }
        guard screens[index].base.entry("up", context) != nil else { return }
        context.notice = nil
        for _ in 0..<Self.notch { screens[index].base.move(direction < 0 ? .up : .down, &context) }
    }
}
