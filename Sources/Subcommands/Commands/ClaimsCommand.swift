import MSAL

/// `keyturn claims`: what an account's tokens say, and what each rule says of the ID token.
package struct ClaimsCommand: Subcommand {
    package static let specification = CommandSpecification(
        name: "claims", summary: "shows the claims of an account's tokens, and the verdicts on them",
        discussion: """
            Shows the claims of the ID token, and of the access token when it can be read, with the verdict of every rule
            on the ID token. The tokens are had silently: nothing opens.
            """,
        options: [TokenCommand.account, OutputFormat.option], example: "keyturn claims --account ada@contoso.com")

    private let settings: Settings
    private let accountName: String?
    private let format: OutputFormat

    package var reportsErrorsAsJSON: Bool { format == .json }

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        accountName = options[TokenCommand.account]
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let profile = try settings.profile(in: surroundings.environment)
        let application = try profile.application()
        let account = try application.requiredAccount(named: accountName)
        let parameters = MSALSilentTokenParameters(scopes: profile.scopes, account: account)
        let result = try await application.acquireTokenSilent(with: parameters)
        let report = ClaimsReport(result: result, now: surroundings.now())
        try surroundings.output.write(format == .json ? report.json() : report.text)
        return .done
    }
}
