import TerminalUI

/// What the mouse does: never more than a key beside it does, and nothing to a question.
extension Model {
    /// Rows that one notch of the wheel moves by.
    private static let notch = 3

    mutating func take(_ event: MouseEvent) {
        switch event.kind {
        case .wheelUp: scroll(.up)
        case .wheelDown: scroll(.down)
        case .press:
            guard focus == .accounts, let row = AccountsView(self).row(at: event.point) else { return }
            notice = nil
            accounts.select(row: row)
        }
    }

    private mutating func scroll(_ command: CommandID) {
        guard Commands.command(command, on: focus) != nil else { return }
        notice = nil
        for _ in 0..<Self.notch { move(command) }
    }
}
