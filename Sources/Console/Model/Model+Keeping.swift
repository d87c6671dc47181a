/// What outlives a run, and what does not outlive a profile.
extension Model {
    /// Begins with what was chosen in the last run.
    mutating func recall(_ kept: KeptChoices) {
        recentScopes = kept.scopes
        accounts.setOrder(kept.order)
    }

    /// Keeps the choices for the next run. Nothing of a demonstration outlives it.
    mutating func keepChoices() -> [Effect] {
        guard let profile, !profile.isDemo else { return [] }
        return [.keep(KeptChoices(scopes: recentScopes, order: accounts.order), profile: profile.name)]
    }

    /// The program goes on with another application: nothing of what was shown before is of it.
    mutating func begin(with profile: ProgramProfile) -> Effect {
        root = .accounts(profile)
        routes = []
        overlay = nil
        accounts = AccountsState()
        acquisitions = [:]
        (brokerRefusal, urlHandler, offersDeviceCode) = (nil, nil, nil)
        recall(profile.kept)
        if let trouble = profile.keptTrouble { notice = Notice(.warning, trouble) }
        return readAccounts()
    }
}
