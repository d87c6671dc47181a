import MSAL
import TerminalUI

extension Destination {
    static func agreement(_ agreement: MSALTokenAgreement) -> Destination {
        Destination { _ in Opening(AgreementQuestion(agreement: agreement), [.forgetTyped]) }
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
