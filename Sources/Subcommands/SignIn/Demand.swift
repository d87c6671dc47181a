import Console
import Foundation
import MSAL
import OAuthCore
import TerminalUI

/// What a program wants: a token with some scopes, of an account, for a server. Each program that gets tokens uses one.
struct Demand: Sendable {
    static let scope = Option("scope", argument: "SCOPE", isRepeatable: true)
    static let account = Option("account", argument: "USER|ID")
    static let tenant = Option("tenant", argument: "TENANT")
    static let claims = Option("claims", argument: "JSON|BASE64")
    static let resource = Option("resource", argument: "URL")
    static let cachedResource = Option("resource", of: "accounts", argument: "URL")
    static let requestedResource = Option("resource", of: "call", argument: "URL")
    static let allowedResource = Option("resource", of: "ssh", argument: "URL", isRepeatable: true)
    static let newAccount = Option("as", argument: "NAME")
    static let noInteraction = Option("no-interaction")

    static let options = [account, tenant, resource, newAccount, noInteraction]
    static let optionsOfAPI = [scope, account, requestedResource, newAccount, noInteraction]

    @Boxed var settings: Settings
    /// The scopes that the command line names, which are all sent. Those of a profile are for its own authority.
    private(set) var namedScopes: [String] = []
    var scopes: [String] = []
    private(set) var tenant: String?
    /// A claims request: JSON, or JSON in base64.
    var claims: String?
    var accountName: String?
    /// The resource that the token is for, which says itself which authority issues it.
    var resource: URL?
    private(set) var newAccountName: String?
    var challenge: MSALChallenge?
    /// The minimum lifetime of the token, in seconds.
    var minimumValidity: TimeInterval = 0
    var forceRefresh = false
    private(set) var forbidsInteraction = false
    /// The server that gets the token, unless it is the resource.
    private(set) var server: URL?
    /// Whether the user chose the server for the profile's tokens, as for a gate.
    private var isChosen = false
    /// Whether the server says first whether it requires a token, and which.
    private(set) var isTentative = false
    var destination: MSALTokenDestination?
    private var authority: URL?

    init(settings: Settings, resource: URL? = nil, scopes: [String] = []) {
        self.settings = settings
        self.resource = resource
        (namedScopes, self.scopes) = (scopes, scopes.withoutAlwaysRequested)
    }

    init(_ options: ParsedOptions) throws(UsageError) {
        let scopes = options.all(Self.scope)
        if let several = scopes.first(where: { $0.contains { $0.isWhitespace || $0 == "," } }) {
            throw .badArgument(Self.scope, argument: several, wanted: "the option once for each scope")
        }
        if let invalid = scopes.first(where: { !$0.isScope }) {
            throw .badArgument(
                Self.scope, argument: invalid, wanted: "printable ASCII without quotation marks and backslashes")
        }
        self.init(settings: try Settings(options), resource: try Self.url(options[Self.resource]), scopes: scopes)
        claims = options[Self.claims]
        if let claims, (try? MSALClaimsRequest(challenge: claims)) == nil {
            throw .badArgument(Self.claims, argument: claims, wanted: "a JSON object of claims, or its base64")
        }
        (tenant, accountName) = (options[Self.tenant], options[Self.account])
        newAccountName = options[Self.newAccount]
        forbidsInteraction = options.has(Self.noInteraction)
    }

    /// The token for the API at the URL of the operand, which says whether it requires one.
    static func ofAPI(
        _ options: ParsedOptions, _ command: CommandSpecification
    ) throws(UsageError) -> (demand: Demand, url: URL) {
        let operand = options.operands.first ?? ""
        guard let url = URL(string: operand), url.scheme != nil, url.host() != nil else {
            throw .unknownOperand(operand, wanted: "an https URL", command: command.name)
        }
        var demand = try Demand(options)
        (demand.server, demand.isTentative) = (url, true)
        return (demand, url)
    }

    static func url(_ text: String?) throws(UsageError) -> URL? {
        guard let text else { return nil }
        guard let url = URL(string: text), url.scheme != nil, url.host() != nil else {
            throw .badArgument(resource, argument: text, wanted: "an https URL")
        }
        return url
    }

    /// Equal for demands that one token meets.
    var key: [String] {
        [tenant, claims, accountName, challenge?.demand, forceRefresh ? "new" : nil].map { $0 ?? "" }
            + ["\(minimumValidity)"] + namedScopes
    }

    var isDemanding: Bool { challenge != nil || claims != nil }

    /// Whether the server is the one of the resource. Another one's challenge says nothing about the resource.
    var isOfResource: Bool { resource.map { $0.origin == (server ?? $0).origin } ?? false }

    var namesScopes: Bool { !namedScopes.isEmpty }

    /// Whether the command line names scopes or a profile. A variable or an account is no decision about a server.
    private var isNamed: Bool { namesScopes || settings.profileName != nil || settings.clientID != nil }

    func naming(_ scopes: [String]) -> Demand {
        var demand = self
        (demand.namedScopes, demand.scopes) = (scopes, scopes.withoutAlwaysRequested)
        return demand
    }

    func sent(to server: URL) -> Demand {
        var demand = self
        (demand.server, demand.isChosen) = (server, true)
        return demand
    }

    /// Throws if the client secret to enter is that of a managed server's client: only the profile's own is stored.
    func checkOwnSecret(of profile: Profile) throws(Failure) {
        guard let resource, let server = profile.managedServer(for: resource) else { return }
        throw Failure(
            .usage, name: "usage",
            "--enter-client-secret is for \(profile.clientID) at \(profile.authority.absoluteString), but the tokens of "
                + "\(resource.origin) are for \(server.clientID) at \(server.authority.absoluteString).",
            nextStep: "For its secret, set clientSecret in managedServers to a file, environment or command. "
                + "For the profile's, omit --resource.")
    }

    /// The same for the server as a resource, if its tokens aren't the profile's: the profile names another authority for it
    /// (`managedServers`), or neither the command line nor the profile names the server, which says itself where they come from.
    func atServer(in environment: [String: String]) -> Demand {
        guard resource == nil, let server else { return self }
        var demand = self
        let isManaged = (try? settings.profile(in: environment))?.managedServer(for: server) != nil
        if isManaged || isTentative && !isNamed && !isOfProfile(in: environment) { demand.resource = server }
        return demand
    }

    /// Whether the server is of the profile's own API. That of a profile which nobody chose can be of its authority's, too.
    private func isOfProfile(in environment: [String: String]) -> Bool {
        guard let server, let profile = try? settings.profile(in: environment),
            let application = try? profile.application()
        else { return false }
        let isChosen = accountName != nil || settings.namesProfile(in: environment)
        return (isChosen || server.origin != profile.authority.origin)
            && application.names(server, scopes: profile.scopes)
    }

    func profile(in surroundings: Surroundings) throws -> Profile {
        try settings.profile(in: surroundings.environment, forResource: resource)
    }

    /// The profile with the scopes of the command line that no request can have itself, such as `offline_access`. An
    /// application of a resource gets them when it is made.
    func naming(in profile: Profile) -> Profile {
        var profile = profile
        if resource == nil { profile.requiredReservedScopes += namedScopes.alwaysRequested }
        return profile
    }

    /// Adds the profile's authority, its scopes if the command line has none, and the destination.
    /// Throws if it has a tenant, but the authority has none to choose, or a name for an account that has its own.
    func completed(by profile: Profile) throws -> Demand {
        guard newAccountName == nil || resource != nil else {
            throw Failure(
                .usage, name: "usage", "--as names the account of a resource. That of a profile has its username.",
                nextStep: "Add --resource, or omit --as.")
        }
        var demand = self
        if !namesScopes { demand.scopes = profile.scopes }
        demand.authority = profile.authority
        demand.destination = demand.decidedDestination
        guard try tenant.map({ _ in try profile.libraryAuthority() is MSALAADAuthority }) ?? true else {
            throw Failure(
                .usage, name: "usage", "\(profile.authority.absoluteString) has no tenants to choose from.",
                nextStep: "Omit --tenant. It is for Microsoft Entra ID only.")
        }
        return demand
    }

    /// The server that gets the token, or `nil` for the resource alone: with `--resource`, the token is for that, and another
    /// origin gets it only with a decision of its own.
    private var decidedDestination: MSALTokenDestination? {
        guard let resource else {
            var destination = server.map { MSALTokenDestination($0, namedScopes: isNamed || isChosen ? scopes : nil) }
            destination?.namesServerOnly = isChosen && !isNamed
            return destination
        }
        guard !isOfResource || isNamed else { return nil }
        var destination = MSALTokenDestination(
            isOfResource ? resource : server ?? resource, namedScopes: namesScopes ? scopes : nil)
        destination.namesApplication = isNamed
        return destination
    }

    func completed(by application: MSALPublicClientApplication) throws -> Demand {
        var demand = completed(by: application.configuration.resource)
        guard !namesScopes, let resource = application.configuration.resource else { return demand }
        demand.scopes = try application.scopes(demand.scopes, for: resource.url, meeting: challenge)
        return demand
    }

    /// The demand for a resource: its scopes, unless the command line names others.
    func completed(by resource: MSALProtectedResource?) -> Demand {
        guard let resource, !namesScopes else { return self }
        var demand = self
        demand.scopes = resource.scopes.withoutAlwaysRequested
        return demand
    }

    func fill(_ parameters: MSALTokenParameters) throws {
        parameters.requiresOfferedScopes = namesScopes
        if let tenant, let authority { parameters.authority = try MSALAADAuthority(url: authority, rawTenant: tenant) }
        parameters.claimsRequest = try claims.map { try MSALClaimsRequest(challenge: $0) }
        parameters.challenge = challenge
        parameters.destination = destination
    }

    /// Gets the token from the cache, or refreshes it if its lifetime is too short.
    func silent(
        _ application: MSALPublicClientApplication, _ account: MSALAccount, at now: Date,
        events: (@Sendable (MSALFlowEvent) -> Void)? = nil
    ) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        try fill(parameters)
        parameters.forceRefresh = forceRefresh
        parameters.flowEventHandler = events
        let result = try await application.acquireTokenSilent(with: parameters)
        // The refresh token in the cache is already spent if the new one could not be cached.
        if forceRefresh || lasts(result, from: now) || result.cachingError != nil { return result }
        parameters.forceRefresh = true
        return try await application.acquireTokenSilent(with: parameters)
    }

    func lasts(_ result: MSALResult, from now: Date) -> Bool {
        guard minimumValidity > 0, let expiry = result.expiresOn else { return true }
        return expiry.timeIntervalSince(now) >= minimumValidity
    }
}

extension Profile {
    /// The client of a server to which the organisation grants access; `nil` for another server.
    func managedServer(for url: URL) -> ManagedServer? { managedServers.first { $0.key.origin == url.origin }?.value }
}

extension Failure {
    /// What `read` returns. A challenge that no token can meet is a failure of the API, not of the program.
    static func challenge(nextStep: String, read: () throws -> MSALChallenge) throws -> MSALChallenge {
        do { return try read() } catch let error as NSError {
            throw Failure(
                .failed, name: "challenge", "The API's challenge is unsupported. \(error.localizedDescription)",
                nextStep: nextStep)
        }
    }
}

/// The question whether a server may have a token. Only the user's own line on a terminal is a yes.
extension Demand {
    /// The most questions of one request: a sign-in can find that another user has to agree, or a server that names other scopes.
    private static let mostQuestions = 3

    /// Runs a request, and asks the user what it needs.
    func agreeing<Value>(
        mayAsk: Bool, in surroundings: Surroundings, _ work: (Demand) async throws -> Value
    ) async throws -> Value {
        var demand = self
        for _ in 0..<(mayAsk && surroundings.canPrompt ? Self.mostQuestions : 0) {
            do { return try await work(demand) } catch let error as NSError {
                guard let agreement = Failure(error).agreement else { throw error }
                guard try await agreement.isGiven(in: surroundings) else {
                    let address = Printable.sanitize(agreement.url.absoluteString)
                    throw Failure(
                        .cancelled, name: "notAllowed", "You didn't allow \(address) this token. \(agreement.sent)",
                        nextStep: "")
                }
                var destination = demand.destination ?? MSALTokenDestination(agreement.url)
                destination.agreement = agreement
                demand.destination = destination
            }
        }
        return try await work(demand)
    }

    /// Whether nobody decided that the server gets the token.
    static func isUndecided(_ error: any Error) -> Bool { (error as NSError).userInfo[MSALDestinationKey] != nil }
}

extension MSALTokenAgreement {
    fileprivate func isGiven(in surroundings: Surroundings) async throws(Failure) -> Bool {
        let question = facts.joined(separator: "\n  ") + "\n\(Self.meaning) Allow it? [y/N] "
        // As on the screen: who can't see all of it can't agree to it.
        if let window = surroundings.errors.window, TextFitting.wrap(question, to: window.width).count > window.height {
            throw Failure(
                .interactionRequired, name: "questionTooLong",
                "The question whether \(Printable.sanitize(url.origin)) may have a token doesn't fit on the terminal. \(sent)",
                nextStep: "Enlarge the terminal, and run the command again.")
        }
        surroundings.forgetTyped()
        surroundings.prompt(question)
        return ["y", "yes"].contains(await surroundings.typedLine()?.lowercased())
    }
}
