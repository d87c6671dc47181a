import MSAL
import TerminalUI

/// The field for the final URL, on each screen that waits for a sign-in. A text that isn't accepted stays, to be corrected.
struct PasteLine: Sendable, Equatable {
    /// The text so far; nil while the field is closed.
    private(set) var text: String?
    private(set) var problem: String?
    /// The start of a URL typed while the field is closed, as terminals without bracketed paste send one.
    private var urlStart = ""
    /// The text of the field that the user closed, for the next time.
    private var closedText = ""

    /// Whether keys belong to the field: it's open, or a URL is being typed into it.
    var takesKeys: Bool { text != nil || !urlStart.isEmpty }

    /// Opens the field. After "htt", the key p continues a URL.
    mutating func open() { (text, problem, urlStart) = (urlStart == "htt" ? "http" : closedText, nil, "") }

    mutating func close() { self = PasteLine() }

    mutating func hide() {
        let typed = text ?? closedText
        close()
        closedText = typed
    }

    private mutating func startsURL(_ key: Key) -> Bool {
        guard text == nil, let letter = key.typed else { return false }
        let start = urlStart + String(letter)
        urlStart = "htt".hasPrefix(start) ? start : letter == "h" ? "h" : ""
        return !urlStart.isEmpty
    }

    mutating func type(_ key: Key, _ context: inout Context) -> Reaction? {
        if text == nil, urlStart == "htt", key == .character("p") {
            open()
            return Reaction.none
        }
        if startsURL(key) { return Reaction.none }
        guard let edited = text?.edited(by: key) else { return nil }
        problem = nil
        guard edited.utf8.count <= TextField.mostBytes else {
            context.notice = Notice(.warning, "The text is too long for the final URL.")
            return Reaction.none
        }
        text = edited
        return Reaction.none
    }

    /// The text with a pasted one, to be delivered as it is; the library validates it. Replaces a text that wasn't accepted.
    mutating func paste(_ pasted: String) -> String {
        let whole = (problem == nil ? text ?? "" : "") + pasted
        (text, problem, urlStart) = (whole, nil, "")
        return whole
    }

    /// The typed text to deliver; nil if there is none.
    mutating func send() -> String? {
        problem = nil
        return text?.isEmpty == false ? text : nil
    }

    mutating func reject(_ report: Failure) { problem = "\(report.reason) \(report.advice)" }
}
