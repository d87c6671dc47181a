import Foundation
import TerminalUI

/// A sentence in the status line. It stays until the next key press, so that there's time to read it.
package struct Notice: Sendable, Equatable {
    package enum Severity: Sendable, Equatable { case quiet, success, warning }

    package var severity: Severity
    package var text: String
    /// The name of the command that it says is unavailable: the sentence applies until the command is available.
    var command: String?

    package init(_ severity: Severity, _ text: String) { (self.severity, self.text) = (severity, text) }

    var told: String { severity == .warning ? "Warning: \(text)" : text }
}

/// What was copied: a text, or the access token of an acquisition, which never gets into the model.
package enum Copied: Sendable, Equatable {
    case text(CopiedText), token(Acquisition)

    private var text: CopiedText? { if case .text(let text) = self { text } else { nil } }
    /// The name in a sentence.
    var name: String { text?.name ?? "the access token" }
    var isWanted: Bool { text?.isWanted ?? true }

    /// What to add to the notice; may be empty.
    func note(at date: Date) -> String {
        switch self {
        case .text(let text): text.note
        case .token(let acquisition): acquisition.expiresOn.map { "It expires \(Moment.relative($0, to: date))." } ?? ""
        }
    }
}

package struct CopiedText: Sendable, Equatable {
    /// The name in a sentence, such as "the code".
    package var name: String
    /// The file to save it to if there's no clipboard.
    package var fileName: String
    /// Without what a terminal would obey, because a server can have written it, and a paste runs it.
    package private(set) var text: String
    var note: String
    /// Whether the user asked for it. Nothing asks to save what a screen copies by itself.
    var isWanted = true

    package init(_ name: String, fileName: String, _ text: String, note: String = "") {
        (self.name, self.fileName, self.note) = (name, fileName, note)
        self.text = text.split(separator: "\n", omittingEmptySubsequences: false).map { Printable.sanitize($0) }
            .joined(separator: "\n")
    }

    init(_ page: URL) { self.init("the URL", fileName: "url.txt", page.absoluteString) }
}
