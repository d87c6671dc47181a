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
        case .work(let id, .readAccounts), .work(let id, .takeBack): return [.result(id, .accounts(.success(accounts)))]
        case .work(let id, .signIn(let request)):
            let events = eventsUntilWaiting.compactMap { message -> Message? in
                if case .progress(_, .event(let event)) = message { .progress(id, .event(event)) } else { nil }
            }
            let steps = events + exchanges.map { .progress(id, .exchange($0)) }
            switch request.method {
            case .device: return steps.prefix(1) + [.progress(id, .deviceCode(shownCode))] + [signedIn(id)]
            case .paste: return steps
            default: return steps + [signedIn(id)]
            }
        case .work(let id, .acquireSilently): return [.result(id, .acquired(silently))]
        case .work(let id, .remove(let account, _)):
            accounts.removeAll { $0.identifier == account }
            return [.result(id, .removed(.success(nil)))]
        case .work(let id, .signOut(let account)):
            accounts.removeAll { $0.identifier == account }
            return [
                .progress(id, .revocation("The refresh token is revoked at login.contoso.example.")),
                .result(id, .signedOut(.success(nil))),
            ]
        case .deliver(let id, let text):
            return text.contains("code=") ? [signedIn(id)] : [.progress(id, .pasteRejected(wrongPasteReport))]
        case .work(let id, .openScenario): return [.result(id, .scenarioOpened(.success(walkProfile)))]
        case .work(let id, .performStep(let step, _)):
            if let asked = refused[step.action.isAgreed] { return [.result(id, .called(.failure(asked)))] }
            return [ending(of: step, id)]
        case .forgetTyped: return [.input(.forgotten)]
        case .work(_, .save(let text)):
            return [.result(EffectID(9), .saved(text, .success("/home/alice/" + text.fileName)))]
        case .work(let id, .export(let export, _, _)):
            return [.result(id, .exported(export, .success(Exported(path: export.path, isPathCopied: false))))]
        case .work(let id, .checkURLHandler): return [.result(id, .urlHandler(.notNeeded))]
        case .work(_, .copy(let text)): return [.result(EffectID(9), .copied(.text(text), .rejected("No terminal.")))]
        case .work(let id, .verify): return [.result(id, .verified([]))]
        case .work(_, .copyToken):
            let text = CopiedText("the access token", fileName: "token.txt", "")
            return [.result(EffectID(9), .saved(text, .success("/home/alice/token.txt")))]
        case .work(let id, .explain(let text, _, _)):
            return [.result(id, .explained(text == "nonsense" ? .failure(networkReport) : .success(explained)))]
        case .work(let id, .review): return [.result(id, .reviewed(.success(reviewedCopy)))]
        case .work(let id, .compare): return [.result(id, .compared(.success(differing)))]
        case .work(let id, .doors(let door)): return [.result(id, .doors(openDoors.filter { $0 != door }))]
        case .work(let id, .listFolder): return [.result(id, .folder(.success(folderEntries)))]
        case .work(let id, .editConfiguration): return [.result(id, .edited(nil))]
        case .work(let id, .check): return [.result(id, .checked(checkReport))]
        case .work(let id, .profiles(let work)): return [.result(id, .profiles(bookAnswer(to: work)))]
        default: return []
        }
    }

    private mutating func signedIn(_ id: EffectID) -> Message {
        if case .success(let acquisition) = acquired { accounts.append(acquisition.account) }
        return .result(id, .acquired(acquired))
    }
}

extension GuidedWalk.Step.Action {
    /// Whether the user agreed that the API gets a token.
    fileprivate var isAgreed: Bool {
        if case .call(let target, _) = self { target.agreement != nil } else { false }
    }
}
