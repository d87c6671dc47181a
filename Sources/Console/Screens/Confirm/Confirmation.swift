import TerminalUI

/// A question that needs no more than yes or no.
struct Confirmation: Question {
    enum Layer: String, KeyLayer {
        case removeProfile = "Remove this profile?", discard = "Discard your changes?", saveAnyway = "Save anyway?"
        case save = "Save to a file?", closeDoor = "Close this door?"
    }

    let layer: Layer
    let message: String
    let yes: Dialog.Button
    var no = "Cancel"
    /// What the screen beneath is told after yes.
    var word: Word?
    /// What starts after yes.
    var work: Work?
    var focus = DialogFocus.cancel

    static let commands =
        choices(yes: "Yes, remove it.", dangerous: true).only(in: .removeProfile)
        + choices(yes: "Yes, discard them.", no: "No, keep editing.").only(in: .discard)
        + choices(yes: "Yes, save it without signing in.", no: "No, keep editing.").only(in: .saveAnyway)
        + choices(yes: "Yes, save it.").only(in: .save)
        + choices(yes: "Yes, close it.", dangerous: true).only(in: .closeDoor)

    var buttons: [Dialog.Button] { [Dialog.Button(no), yes] }

    func confirmed(_ context: inout Context) -> Reaction {
        Reaction(move: .close(word), effects: work.map { [context.work($0)] } ?? [])
    }
}

extension Destination {
    static func profileRemoval(_ name: String) -> Destination {
        let message = """
            \(name)

            Removes it from the configuration file. Its accounts' tokens stay in the cache; to delete them too, \
            sign out first.
            """
        let yes = Dialog.Button("Remove", isDangerous: true)
        return Destination(
            Confirmation(layer: .removeProfile, message: message, yes: yes, word: .removeProfile(name)))
    }

    static let discard = Destination(
        Confirmation(
            layer: .discard, message: "They aren't saved.", yes: Dialog.Button("Discard", isDangerous: true),
            no: "Keep editing", word: .discard))

    static let saveAnyway = Destination(
        Confirmation(
            layer: .saveAnyway, message: "The authority failed its test. A sign-in would fail.",
            yes: Dialog.Button("Save"), no: "Keep editing", word: .saveAnyway))

    /// Nothing is written without the user's consent.
    static func save(_ content: Copied) -> Destination {
        let work: Work =
            switch content {
            case .text(let text): .save(text)
            case .token(let acquisition): .copyToken(acquisition, saves: true)
            }
        let message = "Saves \(content.name) to a new file in Keyturn's data folder. Only you can read it."
        return Destination(
            Confirmation(layer: .save, message: message, yes: Dialog.Button("Save"), work: work, focus: .confirm))
    }

    /// Shows what tells the door from others.
    static func doorQuestion(_ door: OpenDoor) -> Destination {
        let most = 3
        let (rules, rest) = (door.allowed.prefix(most).joined(separator: ", "), door.allowed.count - most)
        let facts = [
            "\(door.kind.title) to \(door.place)", (door.program.isEmpty ? "" : "\(door.program), ") + door.number,
            rules.isEmpty ? "" : "Allows \(rules)\(rest > 0 ? " and \(rest) more" : "")", door.useInWords,
        ]
        let message = """
            \(facts.filter { !$0.isEmpty }.joined(separator: "\n"))

            It gives no more tokens from now on. Its program is asked to end, and is ended after 5 seconds.
            """
        let yes = Dialog.Button("Close", isDangerous: true)
        return Destination(Confirmation(layer: .closeDoor, message: message, yes: yes, word: .closeDoor(door)))
    }
}
