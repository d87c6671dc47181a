import TerminalUI

extension Destination {
    static func removal(_ account: AccountSummary, _ context: Context) -> Destination {
        let authority = account.otherAuthority ?? context.profile?.authority ?? account.environment
        return Destination(RemovalQuestion(account: account, authority: authority))
    }
}

/// Asks whether to remove an account. Enter alone cancels, because removal can't be undone.
struct RemovalQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Remove this account?" }

    let account: AccountSummary
    let authority: String
    var focus = DialogFocus.cancel

    static let commands = answers(yes: "Yes, remove it.", dangerous: true)

    func confirmed(_ context: inout Context) -> Reaction {
        Reaction(move: .close(), effects: [context.remove(account)])
    }

    var dialog: Dialog {
        Dialog(
            title: "Remove this account?",
            message: """
                \(account.displayName)
                \(authority)

                Deletes this program's tokens for the account. The browser session, other programs' tokens \
                and the account itself remain.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Remove", isDangerous: true)],
            focused: focus == .cancel ? 0 : 1)
    }
}
