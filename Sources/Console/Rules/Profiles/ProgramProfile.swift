/// The profile in use, as shown.
package struct ProgramProfile: Sendable, Equatable {
    package var name: String
    /// The authority's address for display.
    package var authority: String
    package var clientID: String
    package var scopes: [String]
    /// Hints for a new user, such as the demo's users and passwords.
    package var hints: [String]
    package var isDemo: Bool
    /// The scenarios to choose from.
    package var scenarios: [ScenarioSummary] = []
    package var walk: GuidedWalk?
    /// The demo's first user.
    package var user: String?
    /// The faults to choose from; each opens as a scenario.
    package var faults: [ScenarioSummary] = []
    /// The choices of the last run.
    package var savedChoices = SavedChoices()
    /// Why the last run's choices couldn't be read; nil if they were.
    package var savedChoicesTrouble: String?
    /// The profile's sign-in methods in order; empty to let the machine decide.
    package var methods: [SignInMethod] = []
    /// The authority's provider; nil if unknown.
    package var provider: ProviderKind?
    package var own = OwnSettings()
    /// Whether the profile names a browser to open.
    package var namesBrowser = false
    /// Whether the redirect URI's port is fixed.
    package var fixesPort = false

    package init(
        name: String, authority: String, clientID: String, scopes: [String], hints: [String] = [], isDemo: Bool = false,
        methods: [SignInMethod] = []
    ) {
        self.name = name
        self.authority = authority
        self.clientID = clientID
        self.scopes = scopes
        self.hints = hints
        self.isDemo = isDemo
        self.methods = methods
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
        self.scopes = scopes
        self.order = order
        self.account = account
    }
}
