import TerminalUI

extension Destination {
    static func removal(_ account: AccountSummary, _ context: Context) -> Destination {
        let authority = account.otherAuthority ?? context.profile?.authority ?? account.environment
        return Destination(RemovalQuestion(account: account, authority: authority))
    }
}

/// Asks where to sign out an account. Enter alone cancels, because removal can't be undone.
struct RemovalQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign out this account?" }

    let account: AccountSummary
    let authority: String
    var focus = DialogFocus.cancel

    static let commands =
        choices(yes: "This computer: remove the account's tokens.", hint: "this computer", dangerous: true) + [
            Command(
                "revokeTokens", .verb(.revoke), "Provider too: also revoke the refresh token there.",
                hint: "provider", dangerous: true
            ) { $0.chosenOther(&$1) },
            Command(
                "signOutInBrowser", .verb(.browserToo), "Browser too: also end the session there.",
                hint: "browser", dangerous: true
            ) { $0.chosenFurther(&$1) },
        ]

    func confirmed(_ context: inout Context) -> Reaction {
        Reaction(move: .close(), effects: [context.remove(account)])
    }

    func chosenOther(_ context: inout Context) -> Reaction {
        Reaction(move: .close(), effects: [context.remove(account, revokes: true)])
    }

    func chosenFurther(_ context: inout Context) -> Reaction { .move(.replace(.signOut(account))) }

    var message: String {
        """
        \(account.displayName)
        \(authority)

        This computer: deletes the account's tokens here. The browser session, other applications' \
        tokens and the account itself remain.
        Provider too: also revokes the refresh token at \(account.environment).
        Browser too: does that, and ends the session there.
        """
    }

    var buttons: [Dialog.Button] {
        [
            Dialog.Button("Cancel"), Dialog.Button("This computer", isDangerous: true),
            Dialog.Button("Provider too", isDangerous: true), Dialog.Button("Browser too", isDangerous: true),
        ]
    }
}
