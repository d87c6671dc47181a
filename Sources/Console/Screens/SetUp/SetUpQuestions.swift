import TerminalUI

extension Destination {
    static let discard = Destination(DiscardQuestion())
}

/// Asks whether to discard the typed profile.
struct DiscardQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Discard your changes?" }

    var focus = DialogFocus.cancel

    static let commands = choices(yes: "Yes, discard them.", no: "No, keep editing.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.discard)) }

    var message: String { "They aren't saved." }
    var buttons: [Dialog.Button] { [Dialog.Button("Keep editing"), Dialog.Button("Discard", isDangerous: true)] }
}

extension Destination {
    static let saveAnyway = Destination(SaveAnywayQuestion())
}

/// Asks whether to save a profile whose authority failed its test.
struct SaveAnywayQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Save anyway?" }

    var focus = DialogFocus.cancel

    static let commands = choices(yes: "Yes, save it without signing in.", no: "No, keep editing.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.close(.saveAnyway)) }

    var message: String { "The authority failed its test. A sign-in would fail." }
    var buttons: [Dialog.Button] { [Dialog.Button("Keep editing"), Dialog.Button("Save")] }
}
