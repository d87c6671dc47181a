import Console
import Foundation
import MSAL

/// `keyturn token`.
package struct TokenCommand: Subcommand {
    static let scope = Option("scope", argument: "SCOPE", isRepeatable: true, "Scope to request")
    static let account = Option(
        "account", argument: "USER|ID",
        elsewhere: ["--user": "--account", "--username": "--account", "-u": "--account"],
        "Account to use (username, unique start of one, or ID)")
    static let tenant = Option(
        "tenant", argument: "TENANT", elsewhere: ["-t": "--tenant"],
        "Tenant to use, for example one where the user is a guest")
    static let claims = Option("claims", argument: "JSON|BASE64", "Claims to request, as in a claims challenge")
    static let challenge = Option(
        "challenge", argument: "HEADER", "Challenge to satisfy: a WWW-Authenticate header, or - for standard input")
    static let minimumValidity = Option(
        "min-validity", argument: "SECONDS", "Refresh a token that expires sooner than this")
    static let forceRefresh = Option("force-refresh", "Refresh even if the cached token is valid")
    static let token = Option(
        "token", argument: "KIND", choices: TokenKind.allCases.map(\.rawValue),
        standard: "the profile's; else access, or with exec-credential at an OpenID provider id", "Token to print")
    static let noInteraction = Option(
        "no-interaction",
        elsewhere: [
            "--non-interactive": "--no-interaction", "--no-input": "--no-interaction",
            "--no-prompt": "--no-interaction",
        ],
        "Fail with exit status 4 instead of signing in")

    package static let specification = CommandSpecification(
        name: "token", summary: "Print an access token or an ID token",
        discussion: """
            Uses the cached token if it is valid, otherwise the refresh token, otherwise a sign-in. Signs in only if there
            is a terminal, a display or a browser. Never signs in if a Kubernetes client forbids it.
            Concurrent commands share one sign-in.
            """,
        terms: CommandSpecification.Terms(
            title: "Output formats",
            rows: [
                ("token", "Only the access token"), ("json", "The token with its expiry, scopes and account"),
                ("header", "Authorization header, for curl -H @-"),
                ("headers", "JSON object of headers, for coding agents"), ("env", "Shell variables, for eval"),
                ("exec-credential", "ExecCredential, for Kubernetes clients"),
            ]),
        options: [
            scope, account, tenant, ResourceAccess.option, ResourceAccess.accountName, claims, challenge,
            minimumValidity, forceRefresh, noInteraction, TokenFormat.option, token,
        ],
        examples: [
            "keyturn token --account ada@contoso.com --no-interaction -o json",
            "keyturn token -o header | curl -H @- https://graph.microsoft.com/v1.0/me",
            "keyturn token --resource https://mail.example.com/mcp -o header",
        ])

    private var request: TokenRequest
    private let challenge: String?
    private let format: TokenFormat
    private let kind: TokenKind?

    package init(_ options: ParsedOptions) throws(UsageError) {
        request = try TokenRequest(options)
        if let text = options[Self.minimumValidity] {
            guard let seconds = UInt32(text) else {
                throw .badArgument(Self.minimumValidity, argument: text, wanted: "a number of seconds")
            }
            request.wish.minimumValidity = TimeInterval(seconds)
        }
        challenge = options[Self.challenge]
        format = options[TokenFormat.option].flatMap(TokenFormat.init) ?? .token
        kind = options[Self.token].flatMap(TokenKind.init)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let execInfo = KubernetesExecInfo(surroundings.environment)
        if format == .execCredential { try execInfo.checkVersion() }
        var request = request
        let profile = try request.profile(in: surroundings)
        request.wish.challenge = try await Self.challenge(challenge, in: surroundings)
        let mayInteract = execInfo.isInteractive && request.mayInteract(as: profile, in: surroundings)
        let source = try await request.source(for: profile, mayInteract: mayInteract, in: surroundings)
        let kind = try kind(for: profile)
        var result = try await source.result(mayInteract: mayInteract, in: surroundings)
        if kind == .id { result = try await withFreshIDToken(result, source, mayInteract, in: surroundings) }
        guard source.wish.lasts(result, from: surroundings.now()) else { throw expiresTooSoon }
        try surroundings.output.write(format.text(result, kind, execInfo: execInfo))
        if let expiry = result.signInExpiry { warn(of: expiry, in: surroundings) }
        return .done
    }

    /// Tells the user on the last day of the sign-in, or in the last quarter of a shorter one, which would warn from its first
    /// minute on.
    private func warn(of expiry: MSALSignInExpiry, in surroundings: Surroundings) {
        let now = surroundings.now()
        // The next refresh moves the end of one that is only unused.
        let notice = min(86_400, expiry.date.timeIntervalSince(expiry.countedFrom) / 4)
        guard expiry.basis != .inactivity, expiry.date.timeIntervalSince(now) < notice, !request.settings.isQuiet,
            surroundings.errorWriter == nil
        else { return }
        let time = Moment.relative(max(expiry.date, now), to: now)
        surroundings.tell(
            "The sign-in ends \(time) at the latest, \(expiry.reason). Run 'keyturn sign-in' before then.\n")
    }

    /// Clusters with an OpenID issuer expect its ID token, those of Azure an access token.
    private func kind(for profile: Profile) throws -> TokenKind {
        if let chosen = kind ?? profile.token { return chosen }
        let isOpenID = try profile.libraryAuthority() is MSALOIDCAuthority
        return format == .execCredential && isOpenID && request.resource == nil ? .id : .access
    }

    /// The cached ID token can expire before the access token.
    private func withFreshIDToken(
        _ result: MSALResult, _ source: TokenSource, _ mayInteract: Bool, in surroundings: Surroundings
    ) async throws -> MSALResult {
        func isFresh(_ result: MSALResult) -> Bool {
            result.hasIDToken(at: surroundings.now(), for: max(10, request.wish.minimumValidity))
        }
        if isFresh(result) || result.idToken == nil { return result }
        var source = source
        source.forceRefresh = true
        let refreshed = try await source.result(mayInteract: mayInteract, in: surroundings)
        guard isFresh(refreshed) else { throw PrintedToken.expired }
        return refreshed
    }

    /// Larger input isn't a header.
    private static let mostBytes = 1 << 18

    /// The challenge of the option, `-` for standard input.
    private static func challenge(_ text: String?, in surroundings: Surroundings) async throws -> MSALChallenge? {
        guard let text else { return nil }
        let header = text == "-" ? try await surroundings.input(mostBytes: mostBytes) : text
        return try Failure.challenge(nextStep: "Use the WWW-Authenticate header of the API's response.") {
            try MSALChallenge(text: header)
        }
    }

    private var expiresTooSoon: Failure {
        Failure(
            .failed, name: "expiresTooSoon",
            "The new token expires in less than \(Int(request.wish.minimumValidity)) seconds.",
            nextStep: "Use a lower --min-validity.")
    }
}

extension TokenWish {
    /// The token that the options request. Throws if a scope or the claims are invalid.
    init(_ options: ParsedOptions) throws(UsageError) {
        let scopes = options.all(TokenCommand.scope)
        if let several = scopes.first(where: { $0.contains(where: \.isWhitespace) }) {
            throw .badArgument(TokenCommand.scope, argument: several, wanted: "the option once for each scope")
        }
        if let invalid = scopes.first(where: { !Self.isScope($0) }) {
            throw .badArgument(
                TokenCommand.scope, argument: invalid, wanted: "printable ASCII without quotation marks and backslashes"
            )
        }
        let claims = options[TokenCommand.claims]
        if let claims, (try? MSALClaimsRequest(challenge: claims)) == nil {
            throw .badArgument(TokenCommand.claims, argument: claims, wanted: "a JSON object of claims, or its base64")
        }
        self.init(scopes: scopes, tenant: options[TokenCommand.tenant], claims: claims)
    }

    /// RFC 6749 §3.3 (`scope-token`).
    static func isScope(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}
