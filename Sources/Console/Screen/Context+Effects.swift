import Foundation

/// What several screens start, and what they go by.
extension Context {
    mutating func readAccounts() -> Effect {
        let id = makeEffectID()
        accounts.phase = .reading(id)
        learning = id
        return .readAccounts(id)
    }

    mutating func remove(_ account: AccountSummary) -> Effect {
        let id = makeEffectID()
        accounts.removing = AccountsState.Removal(id: id, account: account)
        return .remove(id, account: account.identifier)
    }

    /// The set-up is looked at for it, which may take a while: the screen stays as it is.
    mutating func writeReport() -> Effect {
        notice = Notice(.quiet, "Writing a support report…")
        return .report(makeEffectID(), profile)
    }

    /// Ends the trace of a flow that is left.
    mutating func cancel(_ id: EffectID) -> Effect {
        traces.change(id) { $0.ending = .cancelled }
        return .cancel(id)
    }

    /// The ways to sign in here, the one that fits best first.
    package var proposal: WayProposal {
        options.proposal.fitting(
            namesBrowser: profile?.namesBrowser ?? false, offersDeviceCode: offersDeviceCode)
    }

    /// How to sign in unless the user chooses: as the profile says, else as the machine and the authority suggest.
    package var preferredWay: SignInWay { configuredWays.first ?? proposal.best }

    /// The profile's ways, without those that cannot work.
    private var configuredWays: [SignInWay] { (profile?.ways ?? []).filter { proposal.obstacle(to: $0) == nil } }

    /// The ways of a sign-in. A user who leaves the usual one wants the other alone.
    func chain(startingWith way: SignInWay) -> SignInChain {
        let isUsual = way == preferredWay
        return SignInChain(isUsual ? configuredWays : [way], otherwise: proposal.usual)
    }

    /// What the profile asks for, by this way.
    func request(by way: SignInWay, as account: AccountSummary? = nil) -> SignInRequest {
        SignInRequest(scopes: profile?.scopes ?? [], account: account?.identifier, way: way)
    }

    /// Why no code can be used; nil: one can.
    var canUseCode: Availability { proposal.obstacle(to: .device).map(Availability.unavailable) ?? .available }

    /// Without a refresh token the authority gives nothing without the person. A broker has its own.
    func canRenew(_ account: AccountSummary) -> Availability {
        let needsPerson = account.token?.canRenew == false && profile?.ways.contains(.broker) != true
        return Availability(
            !needsPerson,
            else: "There is no refresh token for \(account.displayName): only a sign-in gets the next token.")
    }

    /// A flow has ended: its trace, and the step of the walk that it was.
    mutating func end(_ id: EffectID, _ outcome: Outcome<Acquisition>, at date: Date) {
        advance(to: date)
        traces.change(id) { trace in
            switch outcome {
            case .success: trace.ending = .succeeded
            case .failure(let report): trace.ending = .failed(report.headline)
            }
        }
        endStep(id, outcome)
    }
}
