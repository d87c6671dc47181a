import Foundation
import KeyturnSystem
import LoopbackHTTP
import MSAL

/// `keyturn ssh`.
package struct SSHCommand: Subcommand {
    private static let confirmation = Option(
        "ask", argument: "WHEN", choices: CarryRule.Question.allCases.map(\.rawValue),
        "Ask on the terminal for each use, or once for the host")

    package static let specification = CommandSpecification(
        name: "ssh", options: [confirmation, Demand.scope, Demand.allowedResource, Demand.account], operand: "HOST",
        optionalOperand: "SSH-OPTIONS", takesAnyWords: true, stopsAtOperand: true)

    @Boxed private var demand: Demand
    private let resources: [URL]
    private let question: CarryRule.Question?
    private let words: [String]

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        var resources: [URL] = []
        for text in options.all(Demand.allowedResource) { resources += [try Demand.url(text)].compactMap(\.self) }
        self.resources = resources
        question = options[Self.confirmation].flatMap(CarryRule.Question.init)
        words = options.operands
        _ = try SSHConnection(words, in: [:])
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let environment = surroundings.environment
        try RunningProgram.check(["ssh"], in: environment)
        let connection = try SSHConnection(words, in: environment)
        let file = ConfigurationFile.locate(named: demand.settings.config, in: environment)
        let configuration = try file.read()
        let rules = rules(for: connection.host, configuration)
        let needsQuestion = rules.contains { $0.question != nil }
        let opensSignIns = rules.contains(where: \.opensSignIns)
        // A program that reads or writes a pipe is alone with ssh.
        let hasQuestion = needsQuestion || surroundings.hasTerminal && GateQuestion.hasTerminal
        guard !rules.isEmpty || hasQuestion else {
            throw Failure(
                .usage, name: "nothingCarried",
                "No limits for \(connection.host) are set, so that it would get no tokens.",
                nextStep: "Name scopes with --scope, or add the host to 'carry' in \(file.path).")
        }
        guard !needsQuestion || GateQuestion.hasTerminal else {
            throw Failure(
                .usage, name: "noTerminal", "There is no terminal to ask on.", nextStep: "Remove 'ask' from the limits."
            )
        }
        let log = try UseLog(named: "carry.log", in: environment)
        let subjects = rules.flatMap { $0.scopes + $0.resources.map(\.absoluteString) }
        let listed = surroundings.list(.carried, of: "ssh", at: connection.host)
        listed?.note(port: 0, allowed: subjects)
        let question = hasQuestion ? GateQuestion(surroundings.tell) : nil
        let carrier = Carrier(
            host: connection.host, rules: rules, token: tokens(in: surroundings), question: question,
            pages: pages(for: connection.host, configuration, rules, question),
            log: { line, isRejected in
                try? log.add(line)
                listed?.note(isRejected: isRejected, at: surroundings.now())
            }, now: surroundings.now)
        try? PrivateFolder.make(connection.socket.parentFolder)
        let server = try DoorOptions.server(port: 0, socket: connection.socket, Carrier.limits, carrier.handler)
        let remote = try await connection.open(in: environment)
        if !demand.settings.isQuiet {
            let subject = subjects.isEmpty ? "no tokens" : "tokens"
            let limits = subjects.isEmpty ? "" : ": \(subjects.joined(separator: " "))"
            let pages = opensSignIns ? "open here" : hasQuestion ? "open here after your yes" : "don't open here"
            surroundings.tell(
                "\(connection.host) can get \(subject) of this computer until you leave\(limits). So can root there. "
                    + "Pages of sign-ins there \(pages). Uses are in \(log.path).\n")
        }
        var door = Door(server: server, variables: [:])
        if hasQuestion { door.place = .onOwnTerminal }
        door.afterwards = { await connection.close(remote, in: environment) }
        return try await MSALHTTPConfig.$slowRequests.withValue(nil) {
            try await door.serve(connection.session, announcement: "", listed: listed, in: surroundings)
        }
    }

    /// The limits of the command line, or those of the configuration for the host.
    private func rules(for host: String, _ configuration: Configuration?) -> [CarryRule] {
        var rules = configuration?.carry.filter { $0.host == host || host.hasSuffix("@\($0.host)") } ?? []
        if demand.namesScopes || !resources.isEmpty {
            let named = CarryRule(
                host: host, profile: demand.settings.profileName, account: demand.accountName,
                scopes: demand.namedScopes, resources: resources)
            rules =
                [named]
                + rules.filter(\.opensSignIns).map {
                    CarryRule(host: host, profile: $0.profile, opensSignIns: true)
                }
        }
        let usual = configuration?.profile(named: nil)?.name
        return rules.map { rule in
            var rule = rule
            (rule.profile, rule.question) = (rule.profile ?? usual, question ?? rule.question)
            return rule
        }
    }

    private func pages(
        for host: String, _ configuration: Configuration?, _ rules: [CarryRule], _ question: GateQuestion?
    ) -> CarriedPages {
        var pages = CarriedPages(host: host)
        pages.profiles = configuration?.profiles ?? []
        pages.unasked = Set(rules.filter(\.opensSignIns).compactMap(\.profile))
        pages.question = question
        let usual = configuration?.profile(named: demand.settings.profileName)
        pages.open = { page in
            guard let authority = URL(string: page.url.origin) else { throw CancellationError() }
            var profile = Profile(name: "", clientID: page.clientID, authority: authority)
            (profile.authorityType, profile.redirectURI) = (.oidc, page.redirectURI.absoluteString)
            profile.browser = usual?.browser
            return try await profile.application().responseForOtherComputer(page: page.url, state: page.state)
        }
        return pages
    }

    /// Gets tokens from the cache, and another one once in a while: the server can demand claims or a longer life each time.
    private func tokens(
        in surroundings: Surroundings
    ) -> @Sendable (CarriedRequest, CarryRule) async throws -> MSALResult {
        let (desks, limits) = (Locked<[String: TokenDesk]>([:]), Locked(RejectionLimits()))
        return { [settings = demand.settings] request, rule in
            let demand = request.demand(
                settings, profile: rule.profile, account: rule.account, scopes: rule.scopes(of: request))
            let key = "\(rule.profile ?? "") \(request.resource?.absoluteString ?? "")"
            let desk = try desks.withLock { desks in
                if let desk = desks[key] { return desk }
                let desk = try TokenDesk(demand, mayInteract: false, longestUse: 10, in: surroundings)
                if desks.count < 100 { desks[key] = desk }
                return desk
            }
            let first = try await desk.token(for: demand, mayInteract: false).result
            let now = surroundings.now()
            let lasts = (first.expiresOn ?? .distantFuture) >= now + TimeInterval(request.minimumValidity)
            guard request.isRefresh || request.claims != nil || !lasts,
                limits.withLock({ $0.allowsRefresh(of: nil, at: now) })
            else { return first }
            if request.claims != nil {
                var demand = demand
                demand.claims = request.claims
                return try await TokenDesk(demand, mayInteract: false, in: surroundings).token(for: demand).result
            }
            let rejection = Rejection(means: .refreshed, sent: first.authorizationHeader, maySignIn: false)
            do {
                return try await desk.token(for: demand, after: rejection, mayInteract: false).result
            } catch is TokenDesk.NoToken {
                return first
            }
        }
    }
}
