import TerminalUI

/// Whether an account is to be removed. What cannot be undone names its object, and Enter alone does nothing.
struct RemovalQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Remove an account?" }

    let account: AccountSummary
    var focus = DialogFocus.cancel

    init(_ account: AccountSummary, focus: DialogFocus = .cancel) {
        self.account = account
        self.focus = focus
    }

    static let commands = answers(yes: "Yes, remove it.", dangerous: true)

    func confirmed(_ context: inout Context) -> Reaction {
        Reaction(move: .close(), effects: [context.remove(account)])
    }

    var dialog: Dialog {
        Dialog(
            title: "Remove this account?",
            message: """
                \(account.displayName)

                Its tokens for this program are deleted from this computer. The browser's session, the tokens of other \
                programs and the account itself stay.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Remove", isDangerous: true)],
            focused: focus == .cancel ? 0 : 1)
    }
}
