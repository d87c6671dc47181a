/// Commands that an error suggests, completed by what the user typed: without the profile and the scopes they would do
/// something else than the user wanted.
struct SuggestedCommand: Sendable {
    private let given: ParsedOptions

    init(_ given: ParsedOptions) { self.given = given }

    /// Options that say which application, authority and cache are meant.
    private static let profile: [Option] = [
        .config, .profile, .clientID, .authority, .redirectURI, .listen, .cache, .certificates,
    ]

    /// Options that say which token is meant, and what a command that suits calls them.
    private static let token: [(given: Option, suggested: Option)] = [
        (TokenCommand.scope, TokenCommand.scope), (TokenCommand.tenant, TokenCommand.tenant),
        (TokenCommand.account, SignInCommand.loginHint),
    ]

    private static let completed: [any Subcommand.Type] = [
        SignInCommand.self, AccountsCommand.self, CheckCommand.self, ClaimsCommand.self, RegisterCommand.self,
    ]

    /// The text with every quoted command in it completed.
    func complete(_ text: String) -> String {
        Self.completed.reduce(text) { text, command in
            let start = "'keyturn \(command.specification.name)"
            let options = arguments(for: command.specification)
            guard !options.isEmpty else { return text }
            return [" ", "'"].reduce(text) { $0.replacing(start + $1, with: "\(start) \(options)\($1)") }
        }
    }

    private func arguments(for command: CommandSpecification) -> String {
        let suited = Self.token.filter { command.options.contains($0.suggested) }
        let pairs =
            Self.profile.compactMap { option in given[option].map { (option, $0) } }
            + suited.flatMap { option in given.all(option.given).map { (option.suggested, $0) } }
        return pairs.map { "--\($0.long) \(Self.quoted($1))" }.joined(separator: " ")
    }

    /// As one word of a shell. The command stands in single quotes already.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            byte > 0x7F || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || "-_./:@%+=,".utf8.contains(byte)
        }
        guard !isPlain || word.isEmpty else { return word }
        let escaped = word.map { "\"\\$`".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return "\"\(escaped)\""
    }
}
