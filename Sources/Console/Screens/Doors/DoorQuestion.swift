import TerminalUI

extension Destination {
    static func doorQuestion(_ door: OpenDoor) -> Destination { Destination(DoorQuestion(door: door)) }
}

/// Asks whether to close a door, and shows what tells it from others.
struct DoorQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Close this door?" }

    let door: OpenDoor
    var focus = DialogFocus.cancel

    static let commands = choices(yes: "Yes, close it.", dangerous: true)

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.closeDoor(door))) }

    private static let mostRules = 3

    var message: String {
        let rules = door.allowed.prefix(Self.mostRules).joined(separator: ", ")
        let rest = door.allowed.count - Self.mostRules
        let facts = [
            "\(door.kind.title) to \(door.place)", (door.program.isEmpty ? "" : "\(door.program), ") + door.number,
            rules.isEmpty ? "" : "Allows \(rules)\(rest > 0 ? " and \(rest) more" : "")", door.useInWords,
        ]
        return """
            \(facts.filter { !$0.isEmpty }.joined(separator: "\n"))

            It gives no more tokens from now on. Its program is asked to end, and is ended after 5 seconds.
            """
    }

    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Close", isDangerous: true)] }
}
