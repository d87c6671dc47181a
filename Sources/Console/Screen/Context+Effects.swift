import Foundation

/// Effects and decisions that several screens share.
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

    /// Starts writing a support report. The set-up check it contains may take a while; the screen stays as it is.
    mutating func writeReport() -> Effect {
        notice = Notice(.quiet, "Writing a support report…")
        return .report(makeEffectID(), profile)
    }

    /// Cancels an effect and ends its trace.
    mutating func cancel(_ id: EffectID) -> Effect {
        traces.change(id) { $0.ending = .cancelled }
        return .cancel(id)
    }

    /// The sign-in methods for this machine, profile and authority, best first.
    package var proposal: MethodProposal {
        options.proposal.fitting(
            namesBrowser: profile?.namesBrowser ?? false, offersDeviceCode: offersDeviceCode)
    }

    /// The default sign-in method: the profile's first, or else the best one.
    package var preferredMethod: SignInMethod { configuredMethods.first ?? proposal.best }

    /// The profile's methods, without those that can't work.
    private var configuredMethods: [SignInMethod] {
        (profile?.methods ?? []).filter { proposal.obstacle(to: $0) == nil }
    }

    /// The methods of a sign-in. If the user chose a method other than the default, only that one.
    func chain(startingWith method: SignInMethod) -> SignInChain {
        let isUsual = method == preferredMethod
        return SignInChain(isUsual ? configuredMethods : [method], otherwise: proposal.usual)
    }

    /// A request with the profile's parameters and this method.
    func request(by method: SignInMethod, as account: AccountSummary? = nil) -> SignInRequest {
        SignInRequest(scopes: profile?.scopes ?? [], account: account?.identifier, method: method)
    }

    /// Whether device codes can be used.
    var canUseCode: Availability { proposal.obstacle(to: .device).map(Availability.unavailable) ?? .available }

    /// Whether the account's token can be refreshed: with a refresh token, or by a broker, which has its own.
    func canRenew(_ account: AccountSummary) -> Availability {
        let needsPerson = account.token?.canRenew == false && profile?.methods.contains(.broker) != true
        return Availability(
            !needsPerson,
            else: "No refresh token for \(account.displayName). Sign in again.")
    }

    /// Ends a flow's trace, and the walk's step if the flow was one.
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
