extension ErrorDictionary.Actor {
    /// The party that a next step addresses, if its entry doesn't say so: by the step's first words.
    init(addressedBy step: String) {
        self = Self.openings.first { _, openings in openings.contains(where: step.hasPrefix) }?.0 ?? .developer
    }

    private static let openings: [(Self, [String])] = [
        (
            .administrator,
            [
                "Ask the administrator", "Ask an administrator", "Ask the tenant", "Ask this tenant",
                "Ask the user's administrator", "Ask the organisation", "Have an administrator", "Assign ",
            ]
        ),
        (.operator, ["Ask the authority's operator", "Ask the proxy's operator", "Have the operator"]),
        (
            .user,
            [
                "Allow cookies", "Change the password", "Check the username", "Choose the", "Complete ", "Connect",
                "Continue ", "Enrol ", "Enter ", "Exclude localhost", "Finish ", "Follow ", "Forward ", "Install ",
                "Keep the application running", "Open any", "Register the device", "Reinstall ", "Run ",
                "Set the clock", "Set the date", "Set up MFA", "Sign in ", "Sign in.", "Sign out", "Start again",
                "Start Docker", "Start the sign-in", "Try a", "Unlock ", "Update ", "Use a joined", "Use a registered",
                "Use a work", "Use an account", "Use another sign-in", "Use the same IP", "Wait",
            ]
        ),
    ]

    /// In words, for an answer.
    package var words: String {
        switch self {
        case .user: "the user"
        case .administrator: "the administrator of the user's organisation"
        case .developer: "the developer of the application"
        case .operator: "whoever runs the network or the server"
        }
    }
}
