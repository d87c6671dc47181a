import Console
import MSAL
import TerminalUI

package struct SignInCommand: Subcommand {
    static let loginHint = Option("login-hint", argument: "USER")
    /// The browser, with the response through `keyturn open-url`.
    private static let urlHandler = "url-handler"
    static let method = Option(
        "method", argument: "METHOD", choices: SignInMethod.allCases.map(\.rawValue) + [urlHandler], isRepeatable: true)
    static let prompt = Option(
        "prompt", argument: "PROMPT", choices: MSALPromptType.allCases.compactMap(\.parameterValue))
    static let clientSecret = Option("enter-client-secret")

    package static let specification = CommandSpecification(
        name: "sign-in",
        options: [
            method, Demand.scope, loginHint, prompt, clientSecret, Demand.tenant, Demand.resource,
            Demand.newAccount, OutputFormat.option,
        ])

    @Boxed private var demand: Demand
    private let options: ParsedOptions
    private var loginHint: String? { options[Self.loginHint] }

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        self.options = options
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        var profile: Profile
        do { profile = try demand.profile(in: surroundings) } catch {
            try CarriedTokens.rejectUse(by: Self.specification.name, demand.settings, in: surroundings.environment)
            throw error
        }
        let configured = profile.clientSecret
        if options.has(Self.clientSecret) {
            try demand.checkOwnSecret(of: profile)
            profile.clientSecret = .entered(try await Self.secret(of: profile, in: surroundings))
        }
        if options.all(Self.method).contains(Self.urlHandler) { try Self.checkURLHandler(of: profile) }
        let (result, application) = try await result(with: profile, in: surroundings)
        if case .entered(let secret) = profile.clientSecret {
            try store(secret, of: profile, accepted: application, insteadOf: configured, in: surroundings)
        }
        if let loginHint, !demand.settings.isQuiet, !Self.matches(result, to: loginHint, in: application) {
            let username = result.account.username ?? result.account.identifier ?? "Another user"
            surroundings.tell(
                "\(Printable.sanitize(username)) signed in instead of \(Printable.sanitize(loginHint)): "
                    + "--login-hint only fills in the username.\n")
        }
        switch OutputFormat(options) {
        case .json: try surroundings.output.write(result.accountJSON.document)
        case .table:
            let columns = surroundings.columns(of: surroundings.output)
            let table = AccountTable(accounts: [result.account], isWide: columns == nil)
            try surroundings.output.write(table.text(columns: columns))
        }
        return .done
    }

    private func result(
        with profile: Profile, in surroundings: Surroundings
    ) async throws -> (MSALResult, MSALPublicClientApplication) {
        let named = options.all(Self.method).map { SignInMethod(rawValue: $0) ?? .browser }
        let methods = named.isEmpty ? profile.methods : named
        let prompt = MSALPromptType.allCases.first { $0.parameterValue == options[Self.prompt] } ?? .default
        return try await interruptible {
            try await demand.completed(by: profile).agreeing(mayAsk: true, in: surroundings) { demand in
                let access = DemandedApplication(demand: demand, profile: demand.naming(in: profile))
                return try await access.signIn(by: methods, in: surroundings) { application in
                    let signIn = PlainSignIn(
                        methods: methods, demand: try demand.completed(by: application), loginHint: loginHint,
                        prompt: prompt)
                    return (try await signIn.result(of: application, in: surroundings).cached(), application)
                }
            }
        }
    }

    /// Whether the signed-in account has, or had, the hint as its username, email, UPN or identifier.
    private static func matches(
        _ result: MSALResult, to hint: String, in application: MSALPublicClientApplication
    ) -> Bool {
        let known = try? application.accounts(for: MSALAccountEnumerationParameters(identifier: nil, username: hint))
        if known?.contains(result.account) == true { return true }
        let names = ["email", "upn"].map { result.tenantProfile.claims?[$0] as? String } + [result.account.identifier]
        return names.contains { $0?.lowercased() == hint.lowercased() }
    }

    private static func secret(of profile: Profile, in surroundings: Surroundings) async throws -> String {
        guard profile.cacheKind == .encrypted else {
            throw Failure(
                .configuration, name: "unifiedCache", "A unified cache stores no client secret: it isn't encrypted.",
                nextStep: "Write the secret to a file that only you can read, and use --client-secret-file.")
        }
        if surroundings.hasTypedInput {
            let client = Printable.sanitize("\(profile.clientID) at \(profile.authority.absoluteString)")
            surroundings.tell("Client secret of \(client) (not shown): ")
        }
        defer { if surroundings.hasTypedInput { surroundings.tell("\n") } }
        return try await interruptible { await surroundings.hiddenLine() }
    }

    /// Stores a secret that the authority has accepted, for `"clientSecret": { "stored": true }`, and says how to use it.
    private func store(
        _ secret: String, of profile: Profile, accepted application: MSALPublicClientApplication,
        insteadOf configured: ClientSecretSource?, in surroundings: Surroundings
    ) throws {
        guard application.configuration.resource?.clientSource ?? .configuration == .configuration else {
            surroundings.tell("The client secret wasn't needed, and isn't stored: the API has another authority.\n")
            return
        }
        try profile.application().saveClientSecret(secret)
        let entry = "\"clientSecret\": { \"stored\": true }"
        let isOfOptions = demand.settings.clientID != nil || demand.settings.authority != nil
        let use =
            isOfOptions
            ? " Only a profile with this client ID and authority can use it, with \(entry)."
            : configured == nil ? " Add \(entry) to the profile." : " To use it, change the profile to \(entry)."
        surroundings.tell("The client secret is stored.\(configured == .stored ? "" : use)\n")
    }

    private static func checkURLHandler(of profile: Profile) throws(Failure) {
        // Only the program's own listener can use http.
        guard let redirectURI = profile.redirectURI, redirectURI.lowercased().hasPrefix("http://") else { return }
        throw Failure(
            .configuration, name: "noURLHandler",
            "The redirect URI \(redirectURI) leads to a listener, not to the URL handler.",
            nextStep: "Use a redirect URI with a scheme of its own, and register it first: "
                + "'keyturn register --redirect-uri msauth.org.keyturn.app://auth'.")
    }
}
