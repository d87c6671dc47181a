import Console
import Foundation
import MSAL
import TerminalUI

package struct TokenCommand: Subcommand {
    static let challenge = Option("challenge", argument: "HEADER")
    static let minimumValidity = Option("min-validity", argument: "SECONDS")
    static let forceRefresh = Option("force-refresh")
    static let copy = Option("copy")
    static let token = Option("token", argument: "KIND", choices: TokenKind.allCases.map(\.rawValue))

    package static let specification = CommandSpecification(
        name: "token",
        options: [
            Demand.scope, Demand.account, Demand.tenant, Demand.resource, Demand.newAccount, Demand.claims, challenge,
            minimumValidity, forceRefresh, Demand.noInteraction, TokenFormat.option, token, copy,
        ])

    @Boxed private var demand: Demand
    private let options: ParsedOptions
    private var format: TokenFormat { options[TokenFormat.option].flatMap(TokenFormat.init) ?? .token }
    private var kind: TokenKind? { options[Self.token].flatMap(TokenKind.init) }

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
        self.options = options
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let execInfo = KubernetesExecInfo(surroundings.environment)
        if format == .execCredential { try execInfo.checkVersion() }
        let clipboard = options.has(Self.copy) ? try TerminalClipboard(in: surroundings) : nil
        var demand = demand
        let desk = try TokenDesk(demand, carries: true, mayInteract: execInfo.isInteractive, in: surroundings)
        demand.challenge = try await challenge(in: surroundings)
        let kind = try desk.isCarried ? .access : kind(for: desk.profile)
        guard !desk.isCarried || self.kind != .id else { throw CarriedTokens.accessOnly }
        var result = try await desk.token(for: demand).result
        if kind == .id, result.idToken != nil, !isFresh(result, in: surroundings) {
            // The cached ID token can expire before the access token.
            demand.forceRefresh = true
            result = try await desk.token(for: demand).result
            guard isFresh(result, in: surroundings) else { throw PrintedToken.expired }
        }
        guard demand.lasts(result, from: surroundings.now()) else {
            throw Failure(
                .failed, name: "expiresTooSoon",
                "The new token expires in less than \(Int(demand.minimumValidity)) seconds.",
                nextStep: "Use a lower --min-validity.")
        }
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

    private func challenge(in surroundings: Surroundings) async throws -> MSALChallenge? {
        guard let text = options[Self.challenge] else { return nil }
        let header = text == "-" ? try await surroundings.input(mostBytes: 1 << 18) : text
        return try Failure.challenge(nextStep: "Use the WWW-Authenticate header of the API's response.") {
            try MSALChallenge(text: header)
        }
    }
}

struct TerminalClipboard {
    private let route: ClipboardRoute
    private let terminal: any TextSink

    /// Throws before a token is requested if the terminal can't copy.
    init(in surroundings: Surroundings) throws(Failure) {
        route = ClipboardRoute(environment: surroundings.environment)
        guard let terminal = surroundings.terminal else { throw Self.failure("There is no terminal.") }
        if case .none = route { throw Self.failure(route.rejection) }
        do throws(TextSinkFailure) { try terminal.write("") } catch { throw Self.failure("There is no terminal.") }
        self.terminal = terminal
    }

    func copy(_ text: String) throws {
        guard let sequence = route.sequence(for: text) else { throw Self.failure(route.rejection) }
        try terminal.write(sequence)
    }

    /// Terminals don't confirm that they copied, and a command that has ended can't clear their clipboard.
    static func notice(_ result: MSALResult, at now: Date) -> String {
        let user = result.account.username.map { " of \(Printable.sanitize($0))" } ?? ""
        let expiry = result.expiresOn.map { " It expires \(Moment.relative($0, to: now))." } ?? ""
        return "Sent the token\(user) to the terminal's clipboard.\(expiry)\n"
            + "The clipboard keeps it until you copy something else. If it isn't there, the terminal or tmux forbids copying.\n"
    }

    private static func failure(_ reason: String) -> Failure {
        Failure(
            .failed, name: "noClipboard", "The token can't be copied. \(reason)",
            nextStep: "Print it instead: leave out --copy.")
    }
}
