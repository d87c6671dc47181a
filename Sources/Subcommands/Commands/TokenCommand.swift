import Console
import Foundation
import MSAL

package struct TokenCommand: Subcommand {
    static let challenge = Option(
        "challenge", argument: "HEADER", "Challenge to satisfy: a WWW-Authenticate header, or - for standard input")
    static let minimumValidity = Option(
        "min-validity", argument: "SECONDS", "Refresh a token that expires sooner than this")
    static let forceRefresh = Option("force-refresh", "Refresh even if the cached token is valid")
    static let copy = Option("copy", "Send the token to the terminal's clipboard (OSC 52) instead of printing it")
    static let token = Option(
        "token", argument: "KIND", choices: TokenKind.allCases.map(\.rawValue),
        standard: "the profile's; else access, or with exec-credential at an OpenID provider id", "Token to print")
    package static let specification = CommandSpecification(
        name: "token",
        options: [
            Demand.scope, Demand.account, Demand.tenant, Demand.resource, Demand.newAccount, Demand.claims, challenge,
            minimumValidity, forceRefresh, Demand.noInteraction, TokenFormat.option, token, copy,
        ])

    @Boxed private var demand: Demand
    private let challenge: String?
    private let format: TokenFormat
    private let kind: TokenKind?
    private let copies: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        var demand = try Demand(options)
        demand.forceRefresh = options.has(Self.forceRefresh)
        if let text = options[Self.minimumValidity] {
            guard let seconds = UInt32(text) else {
                throw .badArgument(Self.minimumValidity, argument: text, wanted: "a number of seconds")
            }
            demand.minimumValidity = TimeInterval(seconds)
        }
        self.demand = demand
        challenge = options[Self.challenge]
        format = options[TokenFormat.option].flatMap(TokenFormat.init) ?? .token
        kind = options[Self.token].flatMap(TokenKind.init)
        copies = options.has(Self.copy)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let execInfo = KubernetesExecInfo(surroundings.environment)
        if format == .execCredential { try execInfo.checkVersion() }
        let clipboard = copies ? try TerminalClipboard(in: surroundings) : nil
        var demand = demand
        let desk = try TokenDesk(demand, carries: true, mayInteract: execInfo.isInteractive, in: surroundings)
        demand.challenge = try await Self.challenge(challenge, in: surroundings)
        let kind = try desk.isCarried ? .access : kind(for: desk.profile)
        guard !desk.isCarried || self.kind != .id else { throw CarriedTokens.accessOnly }
        var result = try await desk.token(for: demand).result
        if kind == .id, result.idToken != nil, !isFresh(result, in: surroundings) {
            // The cached ID token can expire before the access token.
            demand.forceRefresh = true
            result = try await desk.token(for: demand).result
            guard isFresh(result, in: surroundings) else { throw PrintedToken.expired }
        }
        guard demand.lasts(result, from: surroundings.now()) else { throw expiresTooSoon }
        let text = try format.text(result, kind, execInfo: execInfo)
        if let clipboard {
            try clipboard.copy(text.trimmingCharacters(in: .newlines))
            if !demand.settings.isQuiet { surroundings.tell(TerminalClipboard.notice(result, at: surroundings.now())) }
        } else {
            try surroundings.output.write(text)
        }
        if let expiry = result.signInExpiry { warn(of: expiry, in: surroundings) }
        return .done
    }

    /// Tells the user on the last day of the sign-in, or in the last quarter of a shorter one, which would warn from its first
    /// minute on.
    private func warn(of expiry: MSALSignInExpiry, in surroundings: Surroundings) {
        let now = surroundings.now()
        // The next refresh moves the end of one that is only unused.
        let notice = min(86_400, expiry.date.timeIntervalSince(expiry.countedFrom) / 4)
        guard expiry.basis != .inactivity, expiry.date.timeIntervalSince(now) < notice, !demand.settings.isQuiet,
            surroundings.errorWriter == nil
        else { return }
        let time = Moment.relative(max(expiry.date, now), to: now)
        surroundings.tell(
            "The sign-in ends \(time) at the latest, \(expiry.reason). Run 'keyturn sign-in' before then.\n")
    }

    /// Clusters with an OpenID issuer expect its ID token, those of Azure an access token. The profile's choice isn't for a resource,
    /// which another authority's ID token would let sign in as the user.
    private func kind(for profile: Profile) throws -> TokenKind {
        if let chosen = kind ?? (demand.resource == nil ? profile.token : nil) { return chosen }
        let isOpenID = try profile.libraryAuthority() is MSALOIDCAuthority
        return format == .execCredential && isOpenID && demand.resource == nil ? .id : .access
    }

    private func isFresh(_ result: MSALResult, in surroundings: Surroundings) -> Bool {
        result.hasIDToken(at: surroundings.now(), for: max(10, demand.minimumValidity))
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
            "The new token expires in less than \(Int(demand.minimumValidity)) seconds.",
            nextStep: "Use a lower --min-validity.")
    }
}
