import TerminalUI

/// A step that waits for the user at the keyboard: shown as on the sign-in's own screen, with the same keys.
extension WalkState {
    /// The waiting sign-in; nil if none waits.
    func pending(_ context: Context) -> PendingSignIn? {
        guard waitingPage(context) != nil, let trace = context.shownTrace, let walk = context.walk else {
            return nil
        }
        let method = walk.current.flatMap { walk.steps[$0].method } ?? .browser
        return PendingSignIn(
            progress: trace.progress, method: deviceCode == nil ? method : .device, deviceCode: deviceCode, paste: line,
            offersMethods: walk.isAdHoc)
    }

    static let signingIn = otherMethods(inLines: .whenAvailable) { _ in "No sign-in waits for a URL." }

    static let pasting: [Command] =
        [sendPaste, stopPasting].only(in: .pasting) + [
            interrupt("Cancel, show the rest of the step, or quit when idle.")
        ]

    /// Whether the waiting sign-in can use another method. A scenario's step has one of its own.
    func canChange(to method: SignInMethod, _ context: Context) -> Availability {
        guard let pending = pending(context) else { return .unavailable("No sign-in waits for you.") }
        guard context.walk?.isAdHoc == true, pending.method != method else {
            return .unavailable("The step uses this method.")
        }
        return context.proposal.obstacle(to: method).map(Availability.unavailable) ?? .available
    }

    func change(to method: SignInMethod, _ context: inout Context) -> Reaction {
        guard let running, var reaction = context.callAgain(by: method) else { return .none }
        reaction.effects.insert(context.cancel(running), at: 0)
        return reaction
    }
}
