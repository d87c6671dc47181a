import Foundation

struct SuggestedCommand: Sendable {
    private let given: ParsedOptions
    private let resource: String?

    init(_ given: ParsedOptions, resource: URL? = nil) {
        self.given = given
        self.resource = given[Demand.resource] == nil ? resource?.absoluteString : nil
    }

    private static let profile: [Option] = [
        .config, .profile, .clientID, .clientSecretFile, .authority, .redirectURI, .listen, .cache, .certificates,
    ]

    /// Options that select the token, and their names in the suggested command.
    private static let token: [(given: Option, suggested: Option)] = [
        (Demand.scope, Demand.scope), (Demand.tenant, Demand.tenant), (Demand.account, SignInCommand.loginHint),
        (Demand.resource, Demand.resource), (Demand.newAccount, Demand.newAccount),
    ]

    private static let completed: [any Subcommand.Type] = [
        SignInCommand.self, AccountsCommand.self, CheckCommand.self, ClaimsCommand.self, RegisterCommand.self,
    ]

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
        let selected = suited.flatMap { option in given.all(option.given).map { (option.suggested, $0) } }
        let pairs =
            Self.profile.compactMap { option in given[option].map { (option, $0) } }
            + selected.filter { $0.0 != SignInCommand.loginHint || $0.1.isWholeUsername }
            + [resource].compactMap(\.self).filter { _ in command.options.contains(Demand.resource) }
            .map { (Demand.resource, $0) }
        return pairs.map { "--\($0.long) \($1.quotedForShell)" }.joined(separator: " ")
    }
}

extension String {
    /// Whether `--account` has a username, and not the start of one or an account ID, which fill in no sign-in page.
    var isWholeUsername: Bool { contains("@") }
}
