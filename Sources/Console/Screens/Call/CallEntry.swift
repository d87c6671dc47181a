import Foundation
import TerminalUI

extension Destination {
    static func call(_ context: Context) -> Destination { Destination(CallEntry(context)) }
}

/// The dialog to enter the URL of an API. The call itself is shown as a walk of one step.
struct CallEntry: EntryScreen {
    enum Layer: String, KeyLayer { case all = "Call an API" }

    var entry: DialogField

    /// Shows the text of the last time. In the demo, suggests the authority's own API.
    init(_ context: Context) {
        if let typed = context.typedCall {
            entry = DialogField(typed)
            return
        }
        let authority = context.profile.flatMap { $0.isDemo ? URL(string: $0.authority) : nil }
        entry = DialogField(authority.flatMap { URL(string: "/api/admin", relativeTo: $0)?.absoluteString } ?? "")
    }

    func message(_ context: Context) -> String {
        [Self.message, context.endingNotice].compactMap(\.self).joined(separator: " ")
    }

    private static let message = """
        URL of the API, or a method and the URL. If the API requires a token, Keyturn gets it for the selected account, \
        or signs in, and sends the request again.
        """

    static let commands: [Command] = [
        Command("sendCall", [.enter], "Send the request.", hint: "send", inLines: .absent) {
            $0.send($0.entry.text, &$1)
        },
        back("Go back. The text stays for the next time.", hint: "back"),
        interrupt,
    ]

    func stepBack(_ context: inout Context) -> Bool {
        context.typedCall = field.text
        return false
    }

    private func send(_ text: String, _ context: inout Context) -> Reaction {
        guard let target = APITarget(text) else {
            context.notice = Notice(.warning, "Enter a URL such as https://api.example.com/me, or POST and the URL.")
            return .none
        }
        return context.call(target)
    }

    func question(_ context: Context) -> LineQuestion? {
        LineQuestion(prompt: field.isEmpty ? "URL, or method and URL" : "URL, or method and URL [\(field.text)]")
    }

    func reply(_ text: String, _ context: inout Context) -> Reaction {
        if text.isEmpty, field.isEmpty { return .move(.back) }
        return send(text.isEmpty ? field.text : text, &context)
    }
}
