import Foundation
import MSAL

/// `keyturn token`.
package struct TokenCommand: Subcommand {
    static let scope = Option("scope", argument: "SCOPE", isRepeatable: true, "Scope to request")
    static let account = Option("account", argument: "USER|ID", "Account to use (username or ID)")
    static let tenant = Option("tenant", argument: "TENANT", "Tenant to use, for example one where the user is a guest")
    static let claims = Option("claims", argument: "JSON", "Claims to request, as in a claims challenge")
    static let minimumValidity = Option(
        "min-validity", argument: "SECONDS", "Refresh a token that expires sooner than this")
    static let forceRefresh = Option("force-refresh", "Refresh even if the cached token is valid")
    static let noInteraction = Option("no-interaction", "Fail with exit status 4 instead of signing in")

    package static let specification = CommandSpecification(
        name: "token", summary: "Print an access token",
        discussion: """
            Uses the cached token if it is valid, otherwise the refresh token, otherwise a sign-in. Signs in only if there
            is a terminal, a display or a browser. A Kubernetes client can forbid the sign-in.
            Concurrent commands share one sign-in.
            """,
        terms: CommandSpecification.Terms(
            title: "Output formats",
            rows: [
                ("token", "Only the access token"), ("json", "The token with its expiry, scopes and account"),
                ("header", "Authorization header, for curl -H @-"), ("env", "Shell variables, for eval"),
                ("exec-credential", "ExecCredential, for Kubernetes clients"),
            ]),
        options: [
            scope, account, tenant, claims, minimumValidity, forceRefresh, noInteraction, TokenFormat.option,
        ],
        examples: [
            "keyturn token --scope User.Read", "keyturn token --account ada@contoso.com --no-interaction -o json",
            "keyturn token -o header | curl -H @- https://graph.microsoft.com/v1.0/me",
        ])

    private let settings: Settings
    private var wish: TokenWish
    private let accountName: String?
    private let forceRefresh: Bool
    private let refusesInteraction: Bool
    private let format: TokenFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        wish = TokenWish(
            scopes: options.all(Self.scope), tenant: options[Self.tenant], claims: options[Self.claims])
        if let text = options[Self.minimumValidity] {
            guard let seconds = UInt32(text) else {
                throw .badArgument(Self.minimumValidity, argument: text, wanted: "a number of seconds")
            }
            wish.minimumValidity = TimeInterval(seconds)
        }
        accountName = options[Self.account]
        forceRefresh = options.has(Self.forceRefresh)
        refusesInteraction = options.has(Self.noInteraction)
        format = options[TokenFormat.option].flatMap(TokenFormat.init) ?? .token
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let execInfo = KubernetesExecInfo(surroundings.environment)
        if format == .execCredential { try execInfo.checkVersion() }
        let profile = try settings.profile(in: surroundings.environment)
        let wish = wish.completed(by: profile)
        let isReachable = surroundings.canReachUser || profile.browser != nil
        let mayInteract = !refusesInteraction && execInfo.isInteractive && isReachable
        let source = TokenSource(
            application: try profile.application(), profile: profile, wish: wish, accountName: accountName,
            forceRefresh: forceRefresh, settings: settings)
        let result = try await source.result(mayInteract: mayInteract, in: surroundings)
        guard wish.lasts(result, from: surroundings.now()) else { throw expiresTooSoon }
        try surroundings.output.write(format.text(result, execInfo: execInfo))
        return .done
    }

    private var expiresTooSoon: CommandFailure {
        CommandFailure(
            .failed, name: "expiresTooSoon",
            "The new token expires in less than \(Int(wish.minimumValidity)) seconds.",
            nextStep: "Use a lower --min-validity.")
    }
}
