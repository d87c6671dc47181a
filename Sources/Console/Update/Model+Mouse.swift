import TerminalUI

/// What the mouse does: never more than a key beside it does, and nothing to a question.
extension Model {
    /// Rows that one notch of the wheel moves by.
    private static let notch = 3

    mutating func take(_ event: MouseEvent) -> [Effect] {
        switch event.kind {
        case .wheelUp: scroll(by: -1, at: event.point)
        case .wheelDown: scroll(by: 1, at: event.point)
        case .press:
            if let key = hintedKey(at: event.point) { return press(key) }
            guard let list = shownList, let row = list.row(at: event.point) else { return [] }
            notice = nil
            keepInSight(list)
            select(row: row)
        }
        return []
    }

    /// The key of the hint that stands there in the status line.
    private func hintedKey(at point: Point) -> Key? {
        guard Frame.fits(size), !Commands.dialogs.contains(focus) else { return nil }
        return StatusView(self).command(at: point)?.keys.first
    }

    private mutating func scroll(by direction: Int, at point: Point) {
        if overlay == nil, let details = inspectorDetails, details.area.contains(point) {
            return scrollDetails(by: direction * Self.notch)
        }
        let command: CommandID = direction < 0 ? .up : .down
        guard Commands.command(command, on: focus) != nil else { return }
        notice = nil
        for _ in 0..<Self.notch { move(command) }
    }
}
