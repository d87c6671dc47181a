import TerminalUI

extension Destination {
    static let discard = Destination(DiscardQuestion())
}

/// Asks whether to discard the typed profile.
struct DiscardQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Discard the form?" }

    var focus = DialogFocus.cancel

    static let commands = answers(yes: "Yes, discard it.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.discard)) }

    var dialog: Dialog {
        Dialog(
            title: "Discard your changes?", message: "The profile isn't saved.",
            buttons: [Dialog.Button("Keep editing"), Dialog.Button("Discard", isDangerous: true)],
            focused: focus == .cancel ? 0 : 1)
    }
}
