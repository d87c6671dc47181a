import Foundation
import KeyturnSystem
import LoopbackHTTP
import MSAL

package struct SSHCommand: Subcommand {
    private static let confirmation = Option(
        "ask", of: "ssh", argument: "WHEN", choices: CarryRule.Question.allCases.map(\.rawValue))

    package static let specification = CommandSpecification(
        name: "ssh", options: [confirmation, Demand.scope, Demand.allowedResource, Demand.account], operand: "HOST",
        optionalOperand: "SSH-OPTIONS", takesAnyWords: true, stopsAtOperand: true)

    @Boxed private var demand: Demand
    private let resources: [URL]
    private let options: ParsedOptions

    package init(_ options: ParsedOptions) throws(UsageError) {
        demand = try Demand(options)
        var resources: [URL] = []
        for text in options.all(Demand.allowedResource) { resources += [try Demand.url(text)].compactMap(\.self) }
        self.resources = resources
        self.options = options
        _ = try SSHConnection(options.operands, in: [:])
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let environment = surroundings.environment
        try RunningProgram.check(["ssh"], in: environment)
        var connection = try SSHConnection(options.operands, in: environment)
        let file = ConfigurationFile.locate(named: demand.settings.config, in: environment)
        let configuration = try file.read()
        let rules = try await rules(for: connection.host, configuration, file.path, in: surroundings)
        let needsQuestion = rules.contains { $0.question != nil }
        let opensSignIns = rules.contains(where: \.opensSignIns)
        let window = needsQuestion && !connection.sharesDisplay ? WindowQuestion(in: environment) : nil
        connection.hidesDisplay = window != nil
        // A program that reads or writes a pipe is alone with ssh.
        let hasQuestion = needsQuestion || surroundings.hasTerminal && GateQuestion.hasTerminal
        guard !rules.isEmpty || hasQuestion else { throw nothingCarried(connection.host, file.path) }
        guard !needsQuestion || window != nil || GateQuestion.hasTerminal else {
            throw unasked(connection, in: environment)
        }
        let log = try UseLog(named: "carry.log", in: environment)
        let subjects = rules.flatMap { $0.scopes + $0.resources.map(\.absoluteString) }
        let listed = surroundings.list(.carried, of: "ssh", at: connection.host)
        listed?.note(port: 0, allowed: subjects)
        let tell: @Sendable (String) -> Void = { [isQuiet = demand.settings.isQuiet] in
            if !isQuiet { surroundings.tell($0) }
        }
        let question = hasQuestion ? GateQuestion(tell, in: window) : nil
        let carrier = Carrier(
            host: connection.host, rules: rules, token: tokens(in: surroundings), question: question,
            pages: pages(for: connection.host, configuration, rules, question),
            log: { line, isRejected in
                try? log.add(line)
                listed?.note(isRejected: isRejected, at: surroundings.now())
            }, now: surroundings.now)
        try? PrivateFolder.make(connection.socket.parentFolder)
        let server = try DoorOptions.server(
            port: 0, socket: connection.socket, Carrier.limits, carrier,
            otherSocket: "Set XDG_RUNTIME_DIR to a folder of your own with a short path.")
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
        if hasQuestion, window == nil { door.place = .onOwnTerminal }
        door.afterwards = { [connection] in await connection.close(remote, in: environment) }
        return try await MSALHTTPConfig.$slowRequests.withValue(nil) {
            try await door.serve(connection.session, announcement: "", listed: listed, in: surroundings)
        }
    }

    private func nothingCarried(_ subject: String, _ file: String) -> Failure {
        Failure(
            .usage, name: "nothingCarried", "No limits for \(subject) are set, so that it would get no tokens.",
            nextStep: "Name scopes with --scope, or add the host to 'carry' in \(file).")
    }

    /// The limits for the host, of the command line or the configuration. Throws if the profile or the account that the command
    /// line names is unknown, or leaves none of them.
    private func rules(
        for host: String, _ configuration: Configuration?, _ file: String, in surroundings: Surroundings
    ) async throws -> [CarryRule] {
        let settings = demand.settings
        let (configured, usual) = (configuration?.carry ?? [], configuration?.profile(named: nil)?.name)
        // A variable is no decision about the profiles that the configuration names.
        let name =
            demand.namesScopes || !resources.isEmpty
            ? settings.profileName(in: surroundings.environment) : settings.profileName
        if name != nil { _ = try settings.profile(in: surroundings.environment) }
        let named = CarryRule(
            host: host, profile: name, account: demand.accountName, scopes: demand.namedScopes, resources: resources,
            question: options[Self.confirmation].flatMap(CarryRule.Question.init))
        let all = CarryRule.rules(configured, named, usual: usual)
        let names = try await namesOfAccount(all, in: surroundings)
        let rules = all.compactMap { $0.narrowed(to: names) }
        let hasLimits = !CarryRule.rules(configured, CarryRule(host: host), usual: usual).isEmpty
        guard !rules.isEmpty || named.account == nil && !hasLimits else {
            let subjects = [host, name.map { "the profile \($0)" }, named.account.map { "the account \($0)" }]
            throw nothingCarried(subjects.compactMap(\.self).joined(separator: " and "), file)
        }
        return rules
    }

    /// What the account of the command line is called: by the user, and where the rules look for it. Throws if it is nowhere.
    private func namesOfAccount(_ rules: [CarryRule], in surroundings: Surroundings) async throws -> [String] {
        guard let name = demand.accountName else { return [] }
        var names = [name.lowercased()]
        var missing: Failure?
        for rule in rules {
            var request = CarriedRequest()
            request.resource = rule.scopes.isEmpty ? rule.resources.first : nil
            let demand = request.demand(demand.settings, profile: rule.profile, account: name, scopes: rule.scopes)
            let profile = try demand.profile(in: surroundings)
            let access = DemandedApplication(demand: demand, profile: profile, isLookedAtOnly: true)
            guard let application = try access.known() else { continue }
            let choice = AccountChoice(demand.settings, profile, mayPrompt: false, in: surroundings)
            if let account = try await application.account(named: name, by: choice) {
                names += [account.username, account.identifier].compactMap { $0?.lowercased() }
            } else {
                missing = application.noAccount(
                    named: name, among: demand.settings.profiles(in: surroundings.environment))
            }
        }
        if names.count == 1, let missing { throw missing }
        return names
    }

    private func unasked(_ connection: SSHConnection, in environment: [String: String]) -> Failure {
        let program = WindowQuestion.program(in: environment)
        var reason = "There is no terminal to ask on."
        var nextStep = "Install ssh-askpass to be asked on the desktop, or remove 'ask' from the limits."
        if program != nil, connection.sharesDisplay {
            reason = "With -X or -Y, no window asks, because programs on the server could answer."
            nextStep = "Omit them, or connect in a terminal."
        } else if let program, program == environment["SSH_ASKPASS"] {
            reason =
                "There is no terminal to ask on, and SSH_ASKPASS names \(program), which is missing or not executable."
            nextStep = "Name another program, or remove 'ask' from the limits."
        }
        return Failure(.usage, name: "noTerminal", reason, nextStep: nextStep)
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
