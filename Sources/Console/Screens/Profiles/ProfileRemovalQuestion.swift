import TerminalUI

/// Whether a profile is to be taken out of the configuration.
struct ProfileRemovalQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Remove a profile?" }

    let name: String
    var focus = DialogFocus.cancel

    init(_ name: String, focus: DialogFocus = .cancel) {
        self.name = name
        self.focus = focus
    }

    static let commands = answers(yes: "Yes, remove it.", dangerous: true)

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.removeProfile(name))) }

    var dialog: Dialog {
        Dialog(
            title: "Remove this profile?",
            message: """
                \(name)

                It is taken out of the configuration file. The tokens of its accounts stay where they are: remove the \
                accounts first if they shall go too.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Remove", isDangerous: true)],
            focused: focus == .cancel ? 0 : 1)
    }
}
