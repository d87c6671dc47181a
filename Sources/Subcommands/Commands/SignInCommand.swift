import Console
import MSAL
import TerminalUI

/// `keyturn sign-in`: a sign-in from a plain terminal.
package struct SignInCommand: Subcommand {
    static let loginHint = Option("login-hint", argument: "USER", "the user name to fill in")
    /// The browser, where the answer shall come back through `keyturn open-url`.
    private static let urlHandler = "url-handler"
    static let method = Option(
        "method", formerly: "way", argument: "METHOD", choices: SignInMethod.allCases.map(\.rawValue) + [urlHandler],
        "how to sign in; given again, what to try next")
    static let prompt = Option(
        "prompt", argument: "P", choices: MSALPromptType.allCases.compactMap(\.parameterValue),
        "what the authority shall insist on")

    package static let specification = CommandSpecification(
        name: "sign-in", summary: "signs a person in",
        discussion: """
            Signs a person in and keeps the tokens. browser opens the page here; paste prints its address, for a browser
            anywhere, and reads back the address that the browser ends on; device prints a code to enter on any other
            device; broker asks the identity broker of the session, and without one goes on with the method that fits;
            url-handler is browser with a redirect URI that the desktop opens with keyturn open-url (see keyturn
            register). Of several methods the next is tried when one cannot be had. The steps go to standard error, the
            account to standard output.
            """,
        options: [method, TokenCommand.scope, loginHint, prompt, TokenCommand.tenant, OutputFormat.option],
        example: "keyturn sign-in --scope User.Read --login-hint ada@contoso.com")

    private let settings: Settings
    private let methods: [SignInMethod]
    private let needsURLHandler: Bool
    private let wish: TokenWish
    private let loginHint: String?
    private let prompt: MSALPromptType
    private let format: OutputFormat

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        methods = options.all(Self.method).map { SignInMethod(rawValue: $0) ?? .browser }
        needsURLHandler = options.all(Self.method).contains(Self.urlHandler)
        wish = TokenWish(scopes: options.all(TokenCommand.scope), tenant: options[TokenCommand.tenant])
        loginHint = options[Self.loginHint]
        prompt = MSALPromptType.allCases.first { $0.parameterValue == options[Self.prompt] } ?? .default
        format = OutputFormat(options)
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let profile = try settings.profile(in: surroundings.environment)
        if needsURLHandler { try Self.checkURLHandler(of: profile) }
        let signIn = PlainSignIn(
            methods: methods.isEmpty ? profile.methods : methods, wish: wish.completed(by: profile),
            loginHint: loginHint,
            prompt: prompt,
            settings: settings)
        let application = try profile.application()
        let result = try await signIn.result(of: application, in: surroundings)
        if let loginHint, !settings.isQuiet, !Self.answers(result, to: loginHint, in: application) {
            let username = result.account.username ?? result.account.identifier ?? "Another user"
            surroundings.tell(
                "\(Printable.sanitize(username)) signed in instead of \(Printable.sanitize(loginHint)): "
                    + "--login-hint only fills in the username.\n")
        }
        switch format {
        case .json:
            try surroundings.output.write(
                JSONText.document(AccountDocument(result)))
        case .table: try surroundings.output.write(AccountTable(accounts: [result.account]).text)
        }
        return .done
    }

    /// Whether the account that signed in has or had this username, or has it as an address.
    private static func answers(
        _ result: MSALResult, to hint: String, in application: MSALPublicClientApplication
    ) -> Bool {
        let known = try? application.accounts(for: MSALAccountEnumerationParameters(identifier: nil, username: hint))
        if known?.contains(result.account) == true { return true }
        let names = ["email", "upn"].map { result.tenantProfile.claims?[$0] as? String } + [result.account.identifier]
        return names.contains { $0?.lowercased() == hint.lowercased() }
    }

    private static func checkURLHandler(of profile: Profile) throws(CommandFailure) {
        // Plain http is allowed for the program's own listener only.
        guard let redirectURI = profile.redirectURI, redirectURI.hasPrefix("http://") else { return }
        throw CommandFailure(
            .configuration, name: "noURLHandler",
            "The redirect URI \(redirectURI) comes back to a listener, not to the desktop's URL handler.",
            nextStep: "Give one with the scheme that 'keyturn register' installs, "
                + "as '--redirect-uri msauth.<bundle identifier>://auth'.")
    }
}
