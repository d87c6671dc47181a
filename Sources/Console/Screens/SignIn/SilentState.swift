import MSAL
import TerminalUI

/// A running silent token request.
package struct SilentState: InspectableScreen, TellingScreen {
    package var id: EffectID
    package var account: AccountSummary
    /// Whether to request a token from the authority even if the cached one is valid.
    package var isForced: Bool = false
    /// Whether to copy the token instead of showing its claims.
    var copies = false
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
            return Reaction(move: .replace(.interaction(account, report)), uncovers: true)
        case .failure(let report):
            return .move(.replace(.failure(report, .silent(account, isForced: isForced), id)))
        }
    }

    private func gotToken(_ acquisition: Acquisition, _ context: inout Context) -> Reaction {
        let reading = acquisition.isFromCache ? [] : [context.readAccounts()]
        guard !copies else {
            return Reaction(
                move: .close(), effects: reading + [.copyToken(context.makeEffectID(), acquisition)])
        }
        context.notice = Notice(
            .success, acquisition.isFromCache ? "Token from the cache; no request was sent." : "Token refreshed.")
        return Reaction(move: .replace(.claims(acquisition, id, isRefresh: true)), effects: reading)
    }

    func tell(_ message: Message, _ teller: PlainTeller, _ context: Context) -> [String] {
        guard case .flowEvent(id, let event) = message else { return [] }
        return teller.step(event, .browser, context.proposal, nil)
    }
}

extension Destination {
    /// - Parameters:
    ///   - isForced: whether to request a token from the authority even if the cached one is valid.
    ///   - copies: whether to copy the token instead of showing its claims.
    static func silent(_ account: AccountSummary, isForced: Bool = false, copies: Bool = false) -> Destination {
        Destination { context in
            let id = context.makeEffectID()
            context.spinner = 0
            context.traces.begin(id, "\(isForced ? "New token" : "Token") for \(account.displayName)")
            let scopes = context.profile?.scopes ?? []
            return Opening(
                SilentState(id: id, account: account, isForced: isForced, copies: copies),
                [.acquireSilently(id, account: account.identifier, scopes: scopes, isForced: isForced)])
        }
    }
}

extension Destination {
    static func interaction(_ account: AccountSummary, _ report: Failure) -> Destination {
        Destination { context in
            Opening(
                InteractionQuestion(
                    account: account, reason: report.meaning ?? report.cause,
                    wanted: (context.profile?.scopes ?? []).withoutAlwaysRequested, method: context.preferredMethod))
        }
    }
}

/// Asks whether to sign in, after a silent request failed because the user must sign in.
struct InteractionQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign in again?" }

    let account: AccountSummary
    /// Why, in Keyturn's own words where it knows the error.
    let reason: String
    /// The scopes of the token that was wanted.
    let wanted: [String]
    let method: SignInMethod
    var focus = DialogFocus.confirm

    static let commands = choices(yes: "Yes, sign in.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.replace(.signIn(account))) }

    private var scopes: String { Printable.sanitize(wanted.joined(separator: " ")) }

    var message: String {
        """
        \(account.displayName) must sign in again to get a token\(wanted.isEmpty ? "" : " for \(scopes)").

        Why: \(Printable.sanitize(reason))

        Sign in \(method.inWords) now? The account stays in the list.
        """
    }

    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Sign in")] }
}
