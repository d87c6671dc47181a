import TerminalUI

extension Destination {
    static func save(_ text: CopiedText) -> Destination {
        Destination(SaveQuestion(name: text.name, content: .text(text)))
    }

    static func save(tokenOf acquisition: Acquisition) -> Destination {
        Destination(SaveQuestion(name: "the access token", content: .token(acquisition)))
    }
}

/// Asks whether to write a text to a private file, because nothing is written without the user's consent.
struct SaveQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Save to a file?" }

    enum Content: Sendable, Equatable {
        case text(CopiedText)
        /// Its access token, which never gets into the model.
        case token(Acquisition)
    }

    /// What is saved, for a sentence.
    let name: String
    let content: Content
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

    var message: String { "Saves \(name) to a new file in Keyturn's data folder. Only you can read it." }
    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Save")] }
}
