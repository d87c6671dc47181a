import TerminalUI

extension Destination {
    static func profileRemoval(_ name: String) -> Destination { Destination(ProfileRemovalQuestion(name: name)) }
}

/// Asks whether to remove a profile from the configuration.
struct ProfileRemovalQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Remove this profile?" }

    let name: String
    var focus = DialogFocus.cancel

    static let commands = choices(yes: "Yes, remove it.", dangerous: true)

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.removeProfile(name))) }

    var message: String {
        """
        \(name)

        Removes it from the configuration file. Its accounts' tokens stay in the cache; to delete them too, \
        sign out first.
        """
    }

    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Remove", isDangerous: true)] }
}
