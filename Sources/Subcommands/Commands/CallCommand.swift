import Foundation
import MSAL

/// `keyturn call`.
package struct CallCommand: Subcommand {
    static let output = Option(
        "output", short: "o", argument: "FILE|json", isRepeatable: true,
        "File to write the body to, replaced once it is complete; or json to print errors as JSON")

    package static let specification = CommandSpecification(
        name: "call", summary: "Send a request to an API with a token",
        discussion: """
            If the API challenges the request, gets the token it requires and sends the request again. Prints the body
            on standard output, and the steps on standard error. Fails if the status isn't 2xx.

            Uses the profile's authority only if you name a profile, client ID, scopes or an account, or set KEYTURN_PROFILE. Otherwise the API
            names its authority, as with 'keyturn token --resource'. --resource names the URL that you signed in with, if
            it isn't the request's. Sends the token and your headers only to the origin
            of the URL. The data to send is limited to 256 MiB. Ends with exit status 6 after 5 minutes without data from
            the API; --timeout limits the whole time.
            """,
        options: [
            APIRequest.method, APIRequest.header, APIRequest.data, output, ResponseHead.include, ResponseHead.dump,
            TokenCommand.scope, TokenCommand.account, ResourceAccess.namedOption, ResourceAccess.accountName,
            TokenCommand.noInteraction,
        ],
        operand: "URL",
        examples: [
            "keyturn call https://mail.example.com/api/unread",
            "keyturn call --scope User.Read https://graph.microsoft.com/v1.0/me",
            "keyturn call -X POST -d @note.json https://mail.example.com/api/notes",
        ])

    private let settings: Settings
    private let url: URL
    private let call: APIRequest
    private let file: String?
    private let head: ResponseHead
    private let wish: TokenWish
    private let accountName: String?
    private let newAccountName: String?
    private let namedResource: URL?
    private let forbidsInteraction: Bool

    package init(_ options: ParsedOptions) throws(UsageError) {
        settings = try Settings(options)
        let operand = options.operands.first ?? ""
        guard let url = URL(string: operand), url.scheme != nil, url.host() != nil else {
            throw .unknownOperand(operand, wanted: "an https URL", command: Self.specification.name)
        }
        self.url = url
        call = try APIRequest(
            url, method: options[APIRequest.method], headers: options.all(APIRequest.header),
            data: options[APIRequest.data])
        file = options.all(Self.output).last { $0 != OutputFormat.json.rawValue }
        head = try ResponseHead(options, body: file)
        wish = try TokenWish(options)
        accountName = options[TokenCommand.account]
        newAccountName = options[ResourceAccess.accountName]
        namedResource = try ResourceAccess.url(options[ResourceAccess.namedOption])
        forbidsInteraction = options.has(TokenCommand.noInteraction)
    }

    /// The URL, if the API itself says where its tokens come from: the command line names no other source.
    func resource(in environment: [String: String]) -> URL? {
        if let namedResource { return namedResource }
        let namesProfile = wish.namesScopes || accountName != nil || settings.namesProfile(in: environment)
        return namesProfile ? nil : url
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let resource = resource(in: surroundings.environment)
        let chosen = try settings.profile(in: surroundings.environment, forResource: resource)
        let wish = try wish.completed(by: chosen)
        let access = resource.map {
            ResourceAccess(
                url: $0, profile: chosen, accountName: newAccountName, namedScopes: wish.namedScopes,
                settings: settings)
        }
        let profile = access == nil ? wish.naming(in: chosen) : chosen
        let output = BodyOutput(path: file, standard: surroundings.output, head: head)
        try output.check()
        defer { output.close() }
        let isReachable = surroundings.canReachUser || profile.browser != nil
        let transport = BodyOutput.transport(
            certificates: profile.certificateAuthorityFile, in: surroundings.environment)
        let tell: @Sendable (String) -> Void = { line in if !settings.isQuiet { surroundings.tell("  \(line)\n") } }
        let conversation = APIConversation(first: try call.call(), tell: tell) { call, mayRepeat in
            try await output.send(call, mayRepeat: mayRepeat, by: transport)
        }
        let mayInteract = !forbidsInteraction && isReachable
        let choice = AccountChoice(settings, profile, mayPrompt: mayInteract, in: surroundings)
        return try await interruptible {
            let (last, response) = try await conversation.run { challenge in
                try await token(for: challenge, profile, wish, choice, access, mayInteract, surroundings)
            }
            try output.finish(response)
            if output.leavesLineOpen { surroundings.tell("\n") }
            if let failure = APIConversation.failure(response, to: last, hasBody: output.hasBody) { throw failure }
            tell("HTTP \(response.status)")
            return .done
        }
    }

    /// The token for a challenge; before the first request, one that is cached or can be refreshed, or `nil`.
    private func token(
        for challenge: MSALChallenge?, _ profile: Profile, _ wish: TokenWish, _ choice: AccountChoice,
        _ access: ResourceAccess?, _ mayInteract: Bool, _ surroundings: Surroundings
    ) async throws -> MSALResult? {
        var (wish, access) = (wish, access)
        wish.challenge = challenge
        access?.challenge = challenge
        guard challenge != nil else {
            guard let application = try access.map({ try $0.knownApplication() }) ?? profile.application() else {
                return nil
            }
            let source = TokenSource(
                application: application, profile: profile, wish: wish.completed(by: application),
                accountName: accountName, choice: choice, forceRefresh: false, settings: settings, access: access)
            return try await source.silentlyOrNone(in: surroundings)
        }
        let source = try await TokenSource(
            profile: profile, wish: wish, accountName: accountName, choice: choice, forceRefresh: false,
            settings: settings, access: access, mayInteract: mayInteract, in: surroundings)
        return try await source.result(mayInteract: mayInteract, in: surroundings)
    }
}
