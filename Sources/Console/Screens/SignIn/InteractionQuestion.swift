import TerminalUI

extension Destination {
    static func interaction(_ account: AccountSummary, reason: String) -> Destination {
        Destination(InteractionQuestion(account: account, reason: reason))
    }
}

/// Asks whether to sign in, after a silent request failed because the user must sign in.
struct InteractionQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign in again?" }

    let account: AccountSummary
    let reason: String
    var focus = DialogFocus.confirm

    static let commands = answers(yes: "Yes, sign in.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.replace(.signIn(account))) }

    var dialog: Dialog {
        Dialog(
            title: "Sign in again?",
            message: """
                \(account.displayName) must sign in: \(reason)

                Sign in with the browser to get a new token.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Sign in")], focused: focus == .cancel ? 0 : 1)
    }
}
