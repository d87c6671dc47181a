import TerminalUI

/// A running silent token request.
package struct SilentState: InspectableScreen, TellingScreen {
    package var id: EffectID
    package var account: AccountSummary
    /// Whether to request a token from the authority even if the cached one is valid.
    package var isForced: Bool = false
    package var progress = FlowProgress.silent

    package enum Layer: String, KeyLayer { case all = "Getting a token" }

    var waits: [Wait] { [Wait(id, .cancelAndSay)] }

    func title(_ context: Context) -> String { "Token for \(account.displayName)" }

    func draw(on surface: inout Surface, in rect: Rect, _ context: Context) {
        FlowView(progress, context).draw(on: &surface, in: rect)
    }

    static let commands: [Command] =
        [inspect(goes: true)] + finding()
        + [back("Cancel and go back.", hint: "cancel"), close(closingCancels), interrupt]

    mutating func receive(_ message: Message, _ context: inout Context) -> Reaction {
        if case .flowEvent(_, let event) = message {
            progress.record(event)
            context.advance(to: event.date)
        }
        guard case .acquired(_, let outcome, let date) = message else { return .none }
        context.finish(id, outcome, at: date)
        switch outcome {
        case .success(let acquisition): return gotToken(acquisition, &context)
        case .failure(let report) where report.kind == .signInRequired:
            return Reaction(move: .replace(.interaction(account, reason: report.reason)), uncovers: true)
        case .failure(let report):
            return .move(.replace(.failure(report, .silent(account, isForced: isForced), id)))
        }
    }

    private func gotToken(_ acquisition: Acquisition, _ context: inout Context) -> Reaction {
        let claims = Move.replace(.claims(acquisition, id, isRefresh: true))
        guard !acquisition.isFromCache else {
            context.notice = Notice(.success, "Token from the cache; no request was sent.")
            return .move(claims)
        }
        context.notice = Notice(.success, "Token refreshed.")
        return Reaction(move: claims, effects: [context.readAccounts()])
    }

    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String] {
        guard case .flowEvent(id, let event) = message else { return [] }
        return teller.step(event, .browser, context.proposal, nil)
    }
}

extension Destination {
    /// - Parameter isForced: whether to request a token from the authority even if the cached one is valid.
    static func silent(_ account: AccountSummary, isForced: Bool = false) -> Destination {
        Destination { context in
            let id = context.makeEffectID()
            context.spinner = 0
            context.traces.begin(id, "\(isForced ? "New token" : "Token") for \(account.displayName)")
            let scopes = context.profile?.scopes ?? []
            return Opening(
                SilentState(id: id, account: account, isForced: isForced),
                [.acquireSilently(id, account: account.identifier, scopes: scopes, isForced: isForced)])
        }
    }
}

extension Destination {
    static func interaction(_ account: AccountSummary, reason: String) -> Destination {
        Destination(InteractionQuestion(account: account, reason: reason))
    }
}

/// Asks whether to sign in, after a silent request failed because the user must sign in.
struct InteractionQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign in again?" }

    let account: AccountSummary
    let reason: String
    var focus = DialogFocus.confirm

    static let commands = choices(yes: "Yes, sign in.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.replace(.signIn(account))) }

    var dialog: Dialog {
        Dialog(
            title: "Sign in again?",
            message: """
                \(account.displayName) must sign in: \(reason)

                Sign in with the browser to get a new token.
                """,
            buttons: [Dialog.Button("Cancel"), Dialog.Button("Sign in")], focused: focus.rawValue)
    }
}
