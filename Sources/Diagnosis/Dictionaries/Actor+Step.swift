extension ErrorDictionary.Actor {
    /// The party that a next step addresses, if its entry doesn't say so: by the step's first words.
    init(addressedBy step: String) {
        self =
            KnownCause.addressed.first { $1.contains(where: step.hasPrefix) }.flatMap { Self(rawValue: $0.key) }
            ?? .developer
    }

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
