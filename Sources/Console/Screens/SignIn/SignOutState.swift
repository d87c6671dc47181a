import MSAL
import TerminalUI

/// A running sign-out in the browser. The library removes the account from this computer first.
package struct SignOutState: CopyingScreen, WatchingScreen {
    package let id: EffectID
    package let account: AccountSummary
    package var progress = FlowProgress.signOut
    private var revocation: String

    init(id: EffectID, account: AccountSummary) {
        (self.id, self.account, revocation) = (id, account, MSALRevocation.unknown(at: account.environment))
    }

    package enum Layer: String, KeyLayer { case all = "Signing out" }

    var waits: [Wait] {
        [Wait(id, .cancelAndSay, saying: saying("Signed out on this computer.", "The browser may still be signed in."))]
    }

    private func saying(_ start: String, _ more: String = "") -> String {
        [start, revocation, more].filter { !$0.isEmpty }.joined(separator: " ")
    }

    func title(_ context: Context) -> String { "Sign out \(account.displayName)" }

    func copyable(_ context: Context) -> CopiedText? { progress.authorizationURL.map(CopiedText.init) }

    static let commands: [Command] =
        [
            Command(
                "act", .verb(.demoUser), "Let a demo user sign out.", hint: "demo user", inLines: .whenAvailable,
                if: { $1.canAct(on: $0.progress.authorizationURL) }
            ) { state, context in
                state.progress.authorizationURL.map { .start(context.act(for: state.id, on: $0)) } ?? .none
            },
            copy("Copy the URL of the sign-out page."), saveCopy(), heldRequest { $0.id },
        ] + finding() + cancelling

    mutating func follow(_ progress: Progress, _ context: inout Context) -> Reaction {
        if case .revocation(let sentence) = progress { revocation = sentence ?? "" }
        record(progress)
        return .none
    }

    mutating func receive(_ result: WorkResult, _ context: inout Context) -> Reaction {
        guard case .signedOut(let outcome) = result else { return .none }
        let done = "Signed out \(account.displayName) on this computer and in the browser."
        context.notice = Notice(outcome.error == nil ? .success : .warning, saying(outcome.error?.paragraph ?? done))
        return .move(.close())
    }
}

extension Destination {
    static func signOut(_ account: AccountSummary) -> Destination {
        Destination { context in
            let id = context.beginFlow(context.isStepping ? "Sign out \(account.displayName)" : nil)
            return Opening(SignOutState(id: id, account: account), [.work(id, .signOut(account: account.identifier))])
        }
    }
}
