import TerminalUI

extension Destination {
    static func tokenCopy(_ acquisition: Acquisition) -> Destination {
        Destination(TokenCopyQuestion(acquisition: acquisition))
    }
}

/// Asks whether to copy an access token. Asks again for each copy.
struct TokenCopyQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Copy the access token?" }

    let acquisition: Acquisition
    var focus = DialogFocus.cancel

    static let commands = choices(yes: "Yes, copy it.")

    func confirmed(_ context: inout Context) -> Reaction {
        Reaction(move: .close(), effects: [.copyToken(context.makeEffectID(), acquisition)])
    }

    var dialog: Dialog {
        Dialog(
            title: Layer.all.rawValue,
            message: """
                Anyone who has the token can use it as \(Printable.sanitize(acquisition.account.displayName)) until it \
                expires. Other programs can read the clipboard.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Copy", isDangerous: true)],
            focused: focus.rawValue)
    }
}
