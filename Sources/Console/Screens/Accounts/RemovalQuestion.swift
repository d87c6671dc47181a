import TerminalUI

extension Destination {
    static func removal(_ accounts: [AccountSummary], _ context: Context) -> Destination {
        let authorities = accounts.map { $0.otherAuthority ?? context.profile?.authority ?? $0.environment }
        return Destination(RemovalQuestion(accounts: accounts, authorities: Set(authorities).sorted()))
    }
}

/// Asks where to sign out accounts. Enter alone cancels, because removal can't be undone.
struct RemovalQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign out this account?", several = "Sign out these accounts?" }

    let accounts: [AccountSummary]
    let authorities: [String]
    var focus = DialogFocus.cancel

    var layer: Layer { accounts.count == 1 ? .all : .several }

    static let commands =
        choices(yes: "This computer: remove the account's tokens.", hint: "this computer", dangerous: true) + [
            Command(
                "revokeTokens", .verb(.revoke), "Provider too: also revoke the refresh token there.",
                hint: "provider", dangerous: true
            ) { $0.chosen(.other, &$1) }
        ]
        + [
            Command(
                "signOutInBrowser", .verb(.browserToo), "Browser too: also end the session there.",
                hint: "browser", dangerous: true
            ) { $0.chosen(.further, &$1) }
        ].only(in: .all)

    func confirmed(_ context: inout Context) -> Reaction { chosen(.confirm, &context) }

    func chosen(_ button: DialogFocus.Button, _ context: inout Context) -> Reaction {
        switch button {
        case .cancel: .move(.close())
        case .confirm, .other: Reaction(move: .close(), effects: context.remove(accounts, revokes: button == .other))
        case .further: accounts.first.map { .move(.replace(.signOut($0))) } ?? .none
        }
    }

    /// A browser signs out one account at a time.
    var message: String {
        let isOne = accounts.count == 1
        let environments = Set(accounts.map(\.environment)).sorted().joined(separator: ", ")
        let meanings = [
            "This computer: deletes the \(isOne ? "account's" : "accounts'") tokens here. The browser session, other "
                + "applications' tokens and the \(isOne ? "account itself" : "accounts themselves") remain.",
            "Provider too: also revokes the refresh token\(isOne ? "" : "s") at \(environments).",
        ]
        let further = isOne ? ["Browser too: does that, and ends the session there."] : []
        return (accounts.map(\.displayName) + authorities + [""] + meanings + further).joined(separator: "\n")
    }

    var buttons: [Dialog.Button] {
        let places = ["This computer", "Provider too"] + (layer == .all ? ["Browser too"] : [])
        return [Dialog.Button("Cancel")] + places.map { Dialog.Button($0, isDangerous: true) }
    }
}
