import MSAL
import TerminalUI

package struct SilentState: InspectableScreen, WatchingScreen {
    package var id: EffectID
    package var account: AccountSummary
    /// Whether to request a token from the authority even if the cached one is valid.
    package var isForced = false
    var copies = false
    package var progress = FlowProgress.silent

    package enum Layer: String, KeyLayer { case all = "Getting a token" }

    func title(_ context: Context) -> String { "Token for \(account.displayName)" }

    static let commands: [Command] = [inspect(goes: true), heldRequest { $0.id }] + finding() + cancelling

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .acquired(let outcome) = result else { return .none }
        switch outcome {
        case .success(let acquisition): return gotToken(acquisition, &context)
        case .failure(let report) where report.kind == .signInRequired:
            return Reaction(move: .replace(.interaction(account, report)), uncovers: true)
        case .failure(let report):
            guard report.internalCode == MSALInternalError.internalErrorAccountRequired.rawValue else {
                return .move(.replace(.failure(report, .silent(account, isForced: isForced), id)))
            }
            let why = "is no longer in the cache. Another program may have signed the account out."
            context.notice = Notice(.warning, "\(account.displayName) \(why)")
            return Reaction(move: .close(), effects: [context.readAccounts()])
        }
    }

    private func gotToken(_ acquisition: Acquisition, _ context: inout Context) -> Reaction {
        let reading = acquisition.isFromCache ? [] : [context.readAccounts()]
        if copies { return Reaction(move: .close(), effects: reading + [context.work(.copyToken(acquisition))]) }
        let source = acquisition.isFromCache ? "Token from the cache; no request was sent." : "Token refreshed."
        context.notice = Notice(.success, source)
        return Reaction(move: .replace(.claims(acquisition, id, isRefresh: true)), effects: reading)
    }
}

extension Destination {
    static func silent(_ account: AccountSummary, isForced: Bool = false, copies: Bool = false) -> Destination {
        Destination { context in
            let id = context.beginFlow("\(isForced ? "New token" : "Token") for \(account.displayName)")
            let scopes = context.profile?.scopes ?? []
            return Opening(
                SilentState(id: id, account: account, isForced: isForced, copies: copies),
                [.work(id, .acquireSilently(account: account.identifier, scopes: scopes, isForced: isForced))])
        }
    }

    fileprivate static func interaction(_ account: AccountSummary, _ report: Failure) -> Destination {
        Destination { context in
            let wanted = (context.profile?.scopes ?? []).withoutAlwaysRequested.joined(separator: " ")
            return Opening(
                InteractionQuestion(
                    account: account, reason: report.meaning ?? report.cause, wanted: wanted,
                    method: context.preferredMethod))
        }
    }
}

/// Asks whether to sign in, after a silent request failed because the user must sign in.
struct InteractionQuestion: Question {
    enum Layer: String, KeyLayer { case all = "Sign in again?" }

    let account: AccountSummary
    /// Why, in Keyturn's own words where it knows the error.
    let reason: String
    let wanted: String
    let method: SignInMethod
    var focus = DialogFocus.confirm

    static let commands = choices(yes: "Yes, sign in.")

    func confirmed(_ context: inout Context) -> Reaction { .move(.replace(.signIn(account))) }

    var message: String {
        """
        \(account.displayName) must sign in again to get a token\
        \(wanted.isEmpty ? "" : " for \(Printable.sanitize(wanted))").

        Why: \(Printable.sanitize(reason))

        Sign in \(method.inWords) now? The account stays in the list.
        """
    }

    var buttons: [Dialog.Button] { [Dialog.Button("Cancel"), Dialog.Button("Sign in")] }
}
