import TerminalUI

/// The program's questions.
extension Dialog {
    /// What cannot be undone names its object, and Enter alone does nothing.
    static func removal(of account: AccountSummary, focus: DialogFocus) -> Dialog {
        Dialog(
            title: "Remove this account?",
            message: """
                \(account.displayName)

                Its tokens for this program are deleted from this computer. The browser's session, the tokens of other \
                programs and the account itself stay.
                """,
            buttons: [Button("Cancel"), Button("Remove", isDangerous: true)], focused: focus == .cancel ? 0 : 1)
    }

    static func profileRemoval(of name: String, focus: DialogFocus) -> Dialog {
        Dialog(
            title: "Remove this profile?",
            message: """
                \(name)

                It is taken out of the configuration file. The tokens of its accounts stay where they are: remove the \
                accounts first if they shall go too.
                """,
            buttons: [Button("Cancel"), Button("Remove", isDangerous: true)], focused: focus == .cancel ? 0 : 1)
    }

    static func discard(focus: DialogFocus) -> Dialog {
        Dialog(
            title: "Discard what you typed?", message: "The profile has not been saved.",
            buttons: [Button("Keep editing"), Button("Discard", isDangerous: true)],
            focused: focus == .cancel ? 0 : 1)
    }

    static func interaction(for account: AccountSummary, reason: String, focus: DialogFocus) -> Dialog {
        Dialog(
            title: "Sign in again?",
            message: """
                There is no token for \(account.displayName) without asking: \(reason)

                Signing in with the browser gets a new one.
                """,
            buttons: [Button("Cancel"), Button("Sign in")], focused: focus == .cancel ? 0 : 1)
    }
}
