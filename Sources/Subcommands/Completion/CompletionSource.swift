/// The source of an argument's candidates, by its placeholder in the help.
package enum CompletionSource: Sendable, Equatable {
    case words([String])
    case files
    case accounts, profiles, scopes, scenarios
    /// No candidates.
    case nothing

    package init(placeholder: String) {
        switch placeholder {
        case "FILE": self = .files
        case "ACCOUNT", "USER|ID", "USER": self = .accounts
        case "NAME": self = .profiles
        case "SCOPE": self = .scopes
        case "SCENARIO": self = .scenarios
        default:
            // `a|b`: the words themselves, in lower case.
            let words = placeholder.split(separator: "|").map(String.init)
            self = words.allSatisfy { $0 == $0.lowercased() } ? .words(words) : .nothing
        }
    }

    init(argumentOf option: Option) {
        self = option.choices.isEmpty ? CompletionSource(placeholder: option.argument ?? "") : .words(option.choices)
    }
}
