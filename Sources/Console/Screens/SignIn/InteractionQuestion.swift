import TerminalUI

/// Whether to sign in, where there is no token without asking.
struct InteractionQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign in again?" }

    let account: AccountSummary
    let reason: String
    var focus = DialogFocus.confirm

    init(_ account: AccountSummary, reason: String) {
        self.account = account
        self.reason = reason
    }

    static let commands = answers(yes: "Yes, sign in.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.replace(.signIn(account))) }

    var dialog: Dialog {
        Dialog(
            title: "Sign in again?",
            message: """
                There is no token for \(account.displayName) without asking: \(reason)

                Signing in with the browser gets a new one.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Sign in")], focused: focus == .cancel ? 0 : 1)
    }
}
