import TerminalUI

extension Destination {
    static func save(_ content: Copied) -> Destination { Destination(SaveQuestion(content: content)) }
}

/// Asks whether to write a text to a private file, because nothing is written without the user's consent.
struct SaveQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Save to a file?" }

    let content: Copied
    var focus = DialogFocus.confirm

    static let commands = choices(yes: "Yes, save it.")

    func confirmed(_ context: inout Context) -> Reaction {
        let work: Work =
            switch content {
            case .text(let text): .save(text)
            case .token(let acquisition): .copyToken(acquisition, saves: true)
            }
        return Reaction(move: .close(), effects: [context.work(work)])
    }

    var message: String { "Saves \(content.name) to a new file in Keyturn's data folder. Only you can read it." }
    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Save")] }
}
