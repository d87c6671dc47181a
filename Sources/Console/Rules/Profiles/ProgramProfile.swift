package struct ProgramProfile: Sendable, Equatable {
    package var name, authority, clientID: String
    package var scopes: [String]
    /// Hints for a new user, such as the demo's users and passwords.
    package var hints: [String]
    package var isDemo: Bool
    package var scenarios: [ScenarioSummary] = []
    package var walk: GuidedWalk?
    /// The demo's first user.
    package var user: String?
    /// The faults to choose from; each opens as a scenario.
    package var faults: [ScenarioSummary] = []
    package var savedChoices = SavedChoices()
    /// Why the last run's choices couldn't be read; nil if they were.
    package var savedChoicesTrouble: String?
    /// The profile's sign-in methods in order; empty to let the machine decide.
    package var methods: [SignInMethod] = []
    package var provider: ProviderKind?
    package var own = OwnSettings()
    package var namesBrowser = false
    package var fixesPort = false

    package init(
        name: String, authority: String, clientID: String, scopes: [String], hints: [String] = [], isDemo: Bool = false,
        methods: [SignInMethod] = []
    ) {
        (self.name, self.authority, self.clientID, self.scopes) = (name, authority, clientID, scopes)
        (self.hints, self.isDemo, self.methods) = (hints, isDemo, methods)
    }
}

/// The user's choices to restore in the next run with the same profile. Not secret.
package struct SavedChoices: Sendable, Equatable {
    /// Recently granted scopes, latest first.
    package var scopes: [String]
    package var order: AccountOrder
    /// The identifier of the default account; nil without one. Saved on its own, because commands change it too.
    package var account: String?

    package init(scopes: [String] = [], order: AccountOrder = .place, account: String? = nil) {
        (self.scopes, self.order, self.account) = (scopes, order, account)
    }
}
