import MSAL

/// `keyturn sign-in`: a sign-in in the browser from a plain terminal.
package struct SignInCommand: Subcommand {
    static let loginHint = Option("login-hint", argument: "USER", "the user name to fill in")
    static let prompt = Option(
        "prompt", argument: "P", choices: Prompt.allCases.map(\.rawValue), "what the authority shall insist on")

    package static let specification = CommandSpecification(
        name: "sign-in", summary: "signs a person in with the browser",
        discussion: """
            Signs a person in with the browser and keeps the tokens. The steps and the address go to standard error, the
            account to standard output.
            """,
        options: [TokenCommand.scope, loginHint, prompt],
        example: "keyturn sign-in --scope User.Read --login-hint ada@contoso.com")

    /// The values of OpenID Connect's `prompt`.
    private enum Prompt: String, CaseIterable {
        case login, consent, create
        case selectAccount = "select_account"

        var type: MSALPromptType {
            switch self {
            case .login: .login
            case .consent: .consent
            case .create: .create
            case .selectAccount: .selectAccount
            }
        }
    }

    private let settings: Settings
    private let scopes: [String]
    private let loginHint: String?
    private let prompt: MSALPromptType

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        scopes = options.all(TokenCommand.scope)
        loginHint = options[Self.loginHint]
        prompt = options[Self.prompt].flatMap(Prompt.init)?.type ?? .default
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let profile = try settings.profile(in: surroundings.environment)
        let signIn = InteractiveSignIn(
            scopes: scopes.isEmpty ? profile.scopes : scopes, loginHint: loginHint, prompt: prompt,
            isQuiet: settings.isQuiet)
        let result = try await signIn.result(of: try profile.application(), in: surroundings)
        try surroundings.output.write(AccountTable(accounts: [result.account]).text)
        return .done
    }
}
