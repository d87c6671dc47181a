/// What the program signs in to, as it is shown.
package struct ProgramProfile: Sendable, Equatable {
    package var name: String
    /// The authority's address, for people.
    package var authority: String
    package var clientID: String
    package var scopes: [String]
    /// Lines that help a newcomer, such as the people of the built-in authority and their passwords.
    package var hints: [String]
    package var isDemo: Bool
    /// What can be chosen in place of what is shown now.
    package var scenarios: [ScenarioSummary] = []
    /// What the person is being walked through.
    package var walk: GuidedWalk?
    /// Of the last run.
    package var kept = KeptChoices()
    /// Why nothing of the last run is known; nil: all is well.
    package var keptTrouble: String?
    /// How to sign in unless the person chooses another way, and what to try next; none: as the machine suggests.
    package var ways: [SignInWay] = []
    /// Whose authority it is; `nil` when that is not known.
    package var provider: ProviderKind?
    /// Whether the profile names a browser to open.
    package var namesBrowser = false
    /// Whether the redirect URI has the same port in each sign-in.
    package var fixesPort = false

    package init(
        name: String, authority: String, clientID: String, scopes: [String], hints: [String] = [], isDemo: Bool = false,
        ways: [SignInWay] = []
    ) {
        self.name = name
        self.authority = authority
        self.clientID = clientID
        self.scopes = scopes
        self.hints = hints
        self.isDemo = isDemo
        self.ways = ways
    }
}
