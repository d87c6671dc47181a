import MSAL

/// `keyturn token`: an access token on standard output.
///
/// From the cache while it is valid; else by the refresh token; else the person signs in, unless that is not allowed.
package struct TokenCommand: Subcommand {
    static let scope = Option("scope", argument: "S", "a scope to ask for; may be given several times")
    static let account = Option("account", argument: "USER|ID", "whose token it shall be")
    static let forceRefresh = Option("force-refresh", "asks for a new token even when the cached one is good")
    static let noInteraction = Option("no-interaction", "exits with 4 instead of signing in")

    package static let specification = CommandSpecification(
        name: "token", summary: "prints an access token, from the cache when it can",
        discussion: """
            Prints an access token: from the cache while it is valid, else renewed, else after a sign-in.
            Only the token goes to standard output.
            """,
        options: [scope, account, forceRefresh, noInteraction, TokenFormat.option],
        example: "keyturn token --scope User.Read -o header | curl -H @- https://graph.microsoft.com/v1.0/me")

    private let settings: Settings
    private let scopes: [String]
    private let accountName: String?
    private let forceRefresh: Bool
    private let mayInteract: Bool
    private let format: TokenFormat

    package var reportsErrorsAsJSON: Bool { format == .json }

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        scopes = options.all(Self.scope)
        accountName = options[Self.account]
        forceRefresh = options.has(Self.forceRefresh)
        mayInteract = !options.has(Self.noInteraction)
        format = options[TokenFormat.option].flatMap(TokenFormat.init) ?? .token
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let profile = try settings.profile(in: surroundings.environment)
        let application = try profile.application()
        let wanted = scopes.isEmpty ? profile.scopes : scopes
        let account = try accountName.map(application.account(named:)) ?? application.onlyAccount()
        let result: MSALResult
        do {
            result = try await silent(application, wanted, account)
        } catch let error where mayInteract && FailureReport(error).exitCode == .interactionRequired {
            let signIn = PlainSignIn(
                way: profile.way, scopes: wanted, account: account, loginHint: account == nil ? accountName : nil,
                settings: settings)
            result = try await signIn.result(of: application, in: surroundings)
        }
        try surroundings.output.write(format.text(result))
        return .done
    }

    private func silent(
        _ application: MSALPublicClientApplication, _ scopes: [String], _ account: MSALAccount?
    ) async throws -> MSALResult {
        guard let account else {
            throw CommandFailure(
                .interactionRequired, name: "noAccount",
                accountName.map { "\($0) is not signed in." } ?? "Nobody is signed in.",
                nextStep: "Run 'keyturn sign-in' first.")
        }
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        parameters.forceRefresh = forceRefresh
        return try await application.acquireTokenSilent(with: parameters)
    }
}
