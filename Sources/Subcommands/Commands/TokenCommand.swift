import Foundation
import MSAL

/// `keyturn token`: an access token on standard output.
///
/// From the cache while it is valid; else by the refresh token; else the person signs in, unless that is not allowed.
package struct TokenCommand: Subcommand {
    static let scope = Option("scope", argument: "SCOPE", "a scope to ask for; may be given several times")
    static let account = Option("account", argument: "USER|ID", "whose token it shall be")
    static let tenant = Option("tenant", argument: "TENANT", "asks this tenant, as one where the person is a guest")
    static let claims = Option("claims", argument: "JSON", "asks for claims, as the challenge of a resource names them")
    static let minimumValidity = Option(
        "min-validity", argument: "SECONDS", "renews a token that would end sooner than this")
    static let forceRefresh = Option("force-refresh", "asks for a new token even when the cached one is good")
    static let noInteraction = Option("no-interaction", "exits with 4 instead of signing in")

    package static let specification = CommandSpecification(
        name: "token", summary: "prints an access token, from the cache when it can",
        discussion: """
            Prints an access token: from the cache while it is valid, else renewed, else after a sign-in. Only the token
            goes to standard output. Nobody is asked to sign in where nobody could answer: without a terminal and a
            display, or when a Kubernetes client says so. Several that need a sign-in at once wait for one.

            -o header is for curl's -H @-, -o env for eval in a shell, -o exec-credential for Kubernetes clients.
            """,
        options: [
            scope, account, tenant, claims, minimumValidity, forceRefresh, noInteraction, TokenFormat.option,
        ],
        example: "keyturn token --scope User.Read -o header | curl -H @- https://graph.microsoft.com/v1.0/me")

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
        let isReachable = surroundings.somebodyIsThere || profile.browser != nil
        let mayInteract = !refusesInteraction && execInfo.isInteractive && isReachable
        let source = TokenSource(
            application: try profile.application(), profile: profile, wish: wish, accountName: accountName,
            forceRefresh: forceRefresh, settings: settings)
        let result = try await source.result(mayInteract: mayInteract, in: surroundings)
        guard wish.lasts(result, from: surroundings.now()) else { throw endsTooSoon }
        try surroundings.output.write(format.text(result, execInfo: execInfo))
        return .done
    }

    private var endsTooSoon: CommandFailure {
        CommandFailure(
            .failed, name: "endsTooSoon",
            "The authority's tokens end sooner than in \(Int(wish.minimumValidity)) seconds.",
            nextStep: "Ask for less with --min-validity.")
    }
}
