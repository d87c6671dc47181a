import Foundation
import MSAL

@testable import Console

/// A transcript of line mode with scripted effects: what a user sees at a pipe.
struct PlainTranscript {
    private(set) var text = ""
    private(set) var conversation: PlainConversation
    private var accounts: [AccountSummary]
    /// The results of sign-ins and silent requests.
    var acquired: Outcome<Acquisition> = .success(acquisition)
    var silently: Outcome<Acquisition> = .success(acquisition)

    /// What calls end with, without the user's agreement (false) and with it.
    var refused: [Bool: Failure] = [:]

    /// The exchanges of a sign-in.
    var exchanges: [MSALFlowExchange] = []

    private static let teller = PlainTeller(
        step: { event, method, _, _ in ["  \(method.rawValue): \(event.step) \(event.phase)"] },
        code: { "Open \($0.verificationURL.absoluteString) and enter the code \($0.userCode)." })

    init(_ model: Model, accounts: [AccountSummary] = [], isInteractive: Bool = false) {
        conversation = PlainConversation(model, teller: Self.teller, isInteractive: isInteractive)
        self.accounts = accounts
    }

    /// Starts the program and types these responses.
    mutating func run(_ lines: [String] = [], ends: Bool = true) {
        handle(.message(.started))
        for line in lines { handle(.line(line)) }
        if ends { handle(.ended) }
    }

    mutating func handle(_ event: PlainConversation.Event) {
        let turn = conversation.handle(event)
        text += turn.text
        for effect in turn.effects {
            for message in answers(to: effect) { handle(.message(message)) }
        }
    }

    private mutating func answers(to effect: Effect) -> [Message] {
        switch effect {
        case .readAccounts(let id), .takeBack(let id, _): return [.accountsRead(id, .success(accounts), at: testTime)]
        case .signIn(let id, let request):
            let events = eventsUntilWaiting.compactMap { message -> Message? in
                if case .flowEvent(_, let event) = message { .flowEvent(id, event) } else { nil }
            }
            let steps = events + exchanges.map { .flowExchange(id, $0) }
            switch request.method {
            case .device: return steps.prefix(1) + [.deviceCode(id, shownCode)] + [signedIn(id)]
            case .paste: return steps
            default: return steps + [signedIn(id)]
            }
        case .acquireSilently(let id, _, _, _): return [.acquired(id, silently, at: testTime)]
        case .remove(let id, let account, _):
            accounts.removeAll { $0.identifier == account }
            return [.removed(id, .success(Message.Removed()), at: testTime)]
        case .signOut(let id, let account):
            accounts.removeAll { $0.identifier == account }
            return [
                .revocation(id, "The refresh token is revoked at login.contoso.example."),
                .signedOut(id, .success(Message.Removed()), at: testTime),
            ]
        case .deliver(let id, let text):
            return text.contains("code=") ? [signedIn(id)] : [.pasteRejected(id, wrongPasteReport)]
        case .openScenario(let id, _, _): return [.scenarioOpened(id, .success(walkProfile))]
        case .performStep(let id, let step, _):
            if let asked = refused[step.action.isAgreed] { return [.called(id, .failure(asked), at: testTime)] }
            return [ending(of: step, id)]
        case .forgetTyped: return [.input(.forgotten)]
        case .save(_, let text): return [.saved(text, .success("/home/alice/" + text.fileName))]
        case .export(let id, let export, _, _):
            return [.exported(id, export, .success(Exported(path: export.path, isPathCopied: false)))]
        case .checkURLHandler(let id, _): return [.urlHandlerChecked(id, .notNeeded)]
        case .copy(_, let text): return [.copied(text, .rejected("No terminal."))]
        case .verify(let id, _, _): return [.verified(id, [])]
        case .copyToken:
            let text = CopiedText("the access token", fileName: "token.txt", "")
            return [.saved(text, .success("/home/alice/token.txt"))]
        case .explain(let id, let text, _, _):
            return [.explained(id, text == "nonsense" ? .failure(networkReport) : .success(explained))]
        case .review(let id, _, _, _): return [.reviewed(id, .success(reviewedCopy))]
        case .compare(let id, _, _): return [.compared(id, .success(differing))]
        case .doors(let id, let door): return [.doors(id, openDoors.filter { $0 != door }, at: testTime)]
        case .listFolder(let id, _): return [.folderListed(id, .success(folderEntries))]
        case .editConfiguration(let id): return [.configurationEdited(id, .success(Message.Edited()))]
        case .check(let id, _): return [.checked(id, checkReport, at: testTime)]
        case .profiles(let id, let work): return [.profiles(id, bookAnswer(to: work))]
        default: return []
        }
    }

    private mutating func signedIn(_ id: EffectID) -> Message {
        if case .success(let acquisition) = acquired { accounts.append(acquisition.account) }
        return .acquired(id, acquired, at: testTime)
    }
}

extension GuidedWalk.Step.Action {
    /// Whether the user agreed that the API gets a token.
    fileprivate var isAgreed: Bool {
        if case .call(let target, _) = self { target.agreement != nil } else { false }
    }
}
