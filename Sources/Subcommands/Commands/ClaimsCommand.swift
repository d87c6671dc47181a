import MSAL

/// `keyturn claims`: what an account's tokens say, and what each rule says of the ID token.
package struct ClaimsCommand: Subcommand {
    /// Which token to look at.
    private enum Source: String, CaseIterable {
        case id, access
        case standardInput = "-"
    }

    static let token = Option(
        "token", argument: "TOKEN", choices: Source.allCases.map(\.rawValue),
        "only the ID token, only the access token, or one that comes on standard input")

    package static let specification = CommandSpecification(
        name: "claims", summary: "shows the claims of an account's tokens, and the verdicts on them",
        discussion: """
            Shows the claims of the ID token, and of the access token when it can be read, with the verdict of every rule
            on the ID token. Never opens a browser. The ID token is read from the cache; so it is shown, by itself, also
            where the access token needs a sign-in. With --token - a token on standard input is decoded, without a
            configuration and without any check.
            """,
        options: [TokenCommand.account, token, OutputFormat.option], example: "keyturn claims --account ada@contoso.com"
    )

    private let settings: Settings
    private let accountName: String?
    private let source: Source?
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        accountName = options[TokenCommand.account]
        source = options[Self.token].flatMap(Source.init)
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let report =
            source == .standardInput
            ? try await report(onInputOf: surroundings) : try await report(onAccountIn: surroundings)
        try surroundings.output.write(format == .json ? report.json() : report.text)
        return .done
    }

    /// Tokens of large directories have some kilobytes; a megabyte is none.
    private static let mostBytes = 1 << 20

    private func report(onInputOf surroundings: Surroundings) async throws -> ClaimsReport {
        let text = await surroundings.input(mostBytes: Self.mostBytes)
        guard let token = MSALDecodedToken(Self.withoutScheme(text)) else {
            throw CommandFailure(
                .failed, name: "noToken", "What came on standard input is not a JSON Web Token.",
                nextStep: "It has three parts with a dot between them. Other tokens can only be read by their resource."
            )
        }
        return ClaimsReport(token: token, now: surroundings.now())
    }

    /// The token of what `token -o header` prints, or a browser's developer tools show.
    private static func withoutScheme(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    }

    private func report(onAccountIn surroundings: Surroundings) async throws -> ClaimsReport {
        let profile = try settings.profile(in: surroundings.environment)
        let application = try profile.application()
        let account = try await application.requiredAccount(named: accountName)
        switch source {
        case .id:
            guard let report = try storedReport(application, account, surroundings) else {
                throw CommandFailure(
                    .interactionRequired, name: "noIDToken", "The cache has no ID token of this account.",
                    nextStep: "Run 'keyturn sign-in'; a sign-in with a device code may bring none.")
            }
            return report
        case .access:
            return try accessTokenReport(try await result(application, profile, account), surroundings)
        case .standardInput, nil:
            do {
                return ClaimsReport(
                    result: try await result(application, profile, account), now: surroundings.now())
            } catch {
                let failure = FailureReport(error)
                guard [.interactionRequired, .network].contains(failure.exitCode),
                    let report = try storedReport(application, account, surroundings)
                else { throw error }
                if !settings.isQuiet {
                    surroundings.tell("No access token: \(failure.description) Showing the cached ID token.\n")
                }
                return report
            }
        }
    }

    private func result(
        _ application: MSALPublicClientApplication, _ profile: Profile, _ account: MSALAccount
    ) async throws -> MSALResult {
        try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: profile.scopes, account: account))
    }

    private func storedReport(
        _ application: MSALPublicClientApplication, _ account: MSALAccount, _ surroundings: Surroundings
    ) throws -> ClaimsReport? {
        try application.storedIDToken(for: account).map {
            ClaimsReport($0, of: account, now: surroundings.now())
        }
    }

    private func accessTokenReport(_ result: MSALResult, _ surroundings: Surroundings) throws -> ClaimsReport {
        let report = ClaimsReport(result: result, without: [.idToken], now: surroundings.now())
        guard report.accessToken != nil else {
            throw CommandFailure(
                .failed, name: "opaqueToken", "The access token is no JSON Web Token: only its resource can read it.",
                nextStep: "Look at the ID token with --token id.")
        }
        return report
    }
}
