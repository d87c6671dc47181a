import Foundation
import MSAL
import TerminalUI

extension Destination {
    static func call(_ context: Context) -> Destination { Destination(CallEntry(context)) }

    static func agreement(_ agreement: MSALTokenAgreement) -> Destination {
        Destination { _ in Opening(AgreementQuestion(agreement: agreement), [.forgetTyped]) }
    }
}

/// The dialog to enter the URL of an API. The call itself is shown as a walk of one step.
struct CallEntry: EntryScreen {
    enum Layer: String, KeyLayer { case all = "Call an API" }

    var entry: DialogField

    /// Shows the text of the last time. In the demo, suggests the authority's own API.
    init(_ context: Context) {
        let authority = context.profile.flatMap { $0.isDemo ? URL(string: $0.authority) : nil }
        let api = authority.flatMap { URL(string: "/api/admin", relativeTo: $0)?.absoluteString }
        entry = DialogField(context.typedCall ?? api ?? "")
    }

    func message(_ context: Context) -> String {
        let message = """
            URL of the API, or a method and the URL. If the API requires a token, Keyturn gets it for the selected \
            account, or signs in, and sends the request again.
            """
        return [message, context.endingNotice].compactMap(\.self).joined(separator: " ")
    }

    static let commands: [Command] = [
        Command("sendCall", [.enter], "Send the request.", hint: "send", inLines: .absent) {
            $0.send($0.entry.text, &$1)
        },
        back("Go back. The text stays for the next time.", hint: "back"), interrupt,
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

/// Asks whether a server may have a token. Opens by itself, so that what was typed before answers nothing.
struct AgreementQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Allow this server a token?" }

    let agreement: MSALTokenAgreement
    var focus = DialogFocus.cancel
    var isAwake = false

    static let commands = choices(yes: "Yes, allow it, and repeat the call.", hint: "allow")

    func confirmed(_ context: inout Context) -> Reaction {
        guard context.options.hasTypedInput else { return reject("Only a user at a terminal can allow it.", &context) }
        guard focus.top >= dialog.extent(in: context.frame.body).last else {
            return reject("Read it to the end first: press Down, or enlarge the window.", &context)
        }
        return context.callAgain(agreeing: agreement) ?? .move(.close())
    }

    private func reject(_ reason: String, _ context: inout Context) -> Reaction {
        context.notice = Notice(.warning, reason)
        return .none
    }

    var message: String { (agreement.facts + ["", MSALTokenAgreement.meaning]).joined(separator: "\n") }
    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Allow", isDangerous: true)] }
}
