import Console
import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// The application for a demand: the profile's, or that of a resource, which the command line names by its URL.
struct DemandedApplication: Sendable {
    @Boxed var demand: Demand
    @Boxed var profile: Profile
    var choice: AccountChoice?
    /// `nil` before it is looked for, and if only a sign-in finds the client of a resource.
    var application: MSALPublicClientApplication?
    /// Whether to leave the cache as it is, also without repairs.
    var isLookedAtOnly = false
    /// Whether a server has rejected what the cache and a refresh give.
    var skipsCache = false
    /// Called before the user is asked to sign in. Throws if that may not be.
    var willSignIn: @Sendable () throws -> Void = {}
    /// Whether a user reads what a sign-in says of its page.
    private(set) var allowsStrangePages = false
    /// What the resource said, if this command has asked it.
    private(set) var found: MSALProtectedResource?

    var settings: Settings { demand.settings }

    func known() throws -> MSALPublicClientApplication? {
        guard let resource = demand.resource else { return try profile.application() }
        return try MSALPublicClientApplication.knownApplication(
            forResource: resource, challenge: challenge, configuration: try configuration())
    }

    func signedIn() throws -> MSALPublicClientApplication {
        if let known = try application ?? known() { return known }
        throw Failure(
            .interactionRequired, name: "resourceUnknown",
            "No token for \(demand.resource?.absoluteString ?? "the API") is cached.",
            nextStep: "Run 'keyturn sign-in'.")
    }

    /// Finds the application in the cache, or by asking the resource, which a sign-in then doesn't repeat.
    /// - Parameter mayInteract: whether a sign-in can follow. It registers this client, so the application stays `nil` if only
    ///   that is missing.
    mutating func find(mayInteract: Bool, in surroundings: Surroundings) async throws {
        guard try !findKnown(), let url = demand.resource else { return }
        let resource = try await discover(url, in: surroundings)
        found = resource
        demand = demand.completed(by: resource)
        if !mayInteract || !resource.clientId.isEmpty {
            try use(try await application(for: resource, registering: false, in: surroundings))
        }
    }

    /// Finds the application in the cache. Returns whether it is there.
    mutating func findKnown() throws -> Bool {
        guard let known = try application ?? known() else { return false }
        try use(known)
        return true
    }

    private mutating func use(_ application: MSALPublicClientApplication) throws {
        self.application = application
        demand = try demand.completed(by: application)
    }

    mutating func refresh(in surroundings: Surroundings) async throws -> Bool {
        let scopes = application?.configuration.resource?.scopes
        guard !demand.namesScopes, demand.challenge == nil, scopes != nil, found == nil, let url = demand.resource,
            // Without a response, the question stays.
            let resource = try? await discover(url, in: surroundings)
        else { return false }
        found = resource
        guard !resource.clientId.isEmpty,
            let current = try? await application(for: resource, registering: false, in: surroundings),
            current.configuration.resource?.scopes != scopes
        else { return false }
        try use(current)
        return true
    }

    /// The responses of the resource and its authority, with those that a sign-in wouldn't ask for.
    func probe(_ resource: URL) async throws -> MSALResourceProbe {
        await MSALPublicClientApplication.probeResource(at: resource, configuration: try configuration())
    }

    func registered(
        _ found: MSALProtectedResource, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication {
        try await inTurn(at: found, in: surroundings) { try await application(for: found, in: surroundings) }
    }

    func profile(of found: MSALProtectedResource) -> Profile {
        var profile = profile
        guard let issuer = URL(string: found.issuer), found.clientSource != .configuration || found.clientId.isEmpty
        else { return profile }
        (profile.authority, profile.authorityType, profile.clientID) = (issuer, .oidc, found.clientId)
        profile.redirectURI = found.redirectUri ?? profile.redirectURI
        return profile
    }

    private var challenge: MSALChallenge? { demand.isOfResource ? demand.challenge : nil }

    private func discover(_ url: URL, in surroundings: Surroundings) async throws -> MSALProtectedResource {
        try await MSALPublicClientApplication.protectedResource(
            at: url, challenge: challenge, configuration: try configuration(), events: events(in: surroundings),
            exchanges: RequestHolds.exchanges, requests: RequestHolds.handler)
    }

    private func application(
        for resource: MSALProtectedResource, registering: Bool = true, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication {
        try await MSALPublicClientApplication.application(
            for: resource, configuration: try configuration(), registering: registering,
            events: events(in: surroundings), exchanges: RequestHolds.exchanges, requests: RequestHolds.handler)
    }

    private func events(in surroundings: Surroundings) -> @Sendable (MSALFlowEvent) -> Void {
        let isQuiet = settings.isQuiet || surroundings.errorWriter != nil
        return { event in
            let lines = FlowNarrator(isQuiet: isQuiet).lines(event).map { $0 + "\n" }
            if !lines.isEmpty { surroundings.tell(lines.joined()) }
        }
    }

    private func configuration() throws -> MSALPublicClientApplicationConfig {
        try profile.configuration {
            $0.resourceAccountName = demand.newAccountName
            $0.registrationScopes = demand.namedScopes
            $0.requiredReservedScopes = demand.namedScopes.alwaysRequested
            $0.allowsStrangePages = allowsStrangePages
            if isLookedAtOnly { $0.cacheConfig.isLookedAtOnly = true }
        }
    }

    /// Signs in by `work`, after asking the resource, unless that has just happened.
    /// A server can delete a registration without notice. If it rejects the client, it gets another one at once. If its page
    /// never returns, the next sign-in registers again.
    func signIn<Value: Sendable>(
        by methods: [SignInMethod], in surroundings: Surroundings,
        _ work: (MSALPublicClientApplication) async throws -> Value
    ) async throws -> Value {
        guard let url = demand.resource else { return try await work(try signedIn()) }
        try PlainSignIn.checkInput(of: methods, in: surroundings)
        let resource = if let found { found } else { try await discover(url, in: surroundings) }
        var access = self
        access.allowsStrangePages = surroundings.canPrompt && !settings.isQuiet
        return try await inTurn(at: resource, in: surroundings) { [access] in
            let application = try await access.application(for: resource, in: surroundings)
            do { return try await work(application) } catch {
                guard application.isClientRegistrationRejected else { throw error }
                return try await work(try await access.application(for: resource, in: surroundings))
            }
        }
    }

    /// Runs `work` when no other process registers at the authority, or signs in with the registration and its port.
    private func inTurn<Value: Sendable>(
        at resource: MSALProtectedResource, in surroundings: Surroundings, _ work: () async throws -> Value
    ) async throws -> Value {
        let mayRegister = resource.clientId.isEmpty || resource.clientSource == .registration
        guard mayRegister, profile.clientMetadata == nil else { return try await work() }
        let turn = SignInTurn(registrationAt: resource.issuer, environment: surroundings.environment)
        return try await turn.run {
            if !settings.isQuiet {
                surroundings.tell("Waiting for the sign-in of another keyturn process at \(resource.issuer).\n")
            }
        } _: { _ in
            try await work()
        }
    }
}

/// The applications of a command about cached accounts.
extension Demand {
    /// Those of the profile or the resource; without a configuration, of each resource that was signed in to.
    func applications(in surroundings: Surroundings) throws -> [MSALPublicClientApplication] {
        let isNamed = resource != nil || settings.hasProfile(in: surroundings.environment)
        let found = isNamed ? [] : try settings.signedInResources(in: surroundings.environment)
        guard !found.isEmpty else { return [try application(in: surroundings)] }
        return try found.map { try Demand(settings: settings, resource: $0.url).application(in: surroundings) }
    }

    /// The application with an account of this name, or the first one.
    func application(with account: String, in surroundings: Surroundings) async throws -> MSALPublicClientApplication {
        let applications = try applications(in: surroundings)
        guard applications.count > 1 else { return applications[0] }
        var owners: [MSALPublicClientApplication] = []
        for application in applications where try await application.account(named: account) != nil {
            owners.append(application)
        }
        guard owners.count > 1 else { return owners.first ?? applications[0] }
        let urls = owners.compactMap { $0.configuration.resource?.url.absoluteString }
        throw Failure(
            .usage, name: "severalResources",
            "\(account) is signed in to several resources: \(urls.joined(separator: ", ")).",
            nextStep: "Add --resource URL.")
    }

    func application(in surroundings: Surroundings) throws -> MSALPublicClientApplication {
        try DemandedApplication(demand: self, profile: profile(in: surroundings)).signedIn()
    }

    func defaultAccount(of application: MSALPublicClientApplication, in surroundings: Surroundings) -> DefaultAccount {
        let profile = try? profile(in: surroundings)
        return DefaultAccount(of: application, profile: profile?.name ?? "", in: surroundings.environment)
    }
}

extension Settings {
    func signedInResources(in environment: [String: String]) throws -> [MSALProtectedResource] {
        let profile = try profile(in: environment, forResource: URL(string: "https://localhost"))
        return try MSALPublicClientApplication.signedInResources(configuration: profile.configuration())
    }
}

/// The token of the application.
/// 1. Silently: from the cache, then with the refresh token.
/// 2. Fail if a sign-in is required but not allowed.
/// 3. Wait for another process's sign-in, then try the cache again. Fail without a second sign-in if that one has failed.
/// 4. Sign in by the profile's method, as the requested user.
extension DemandedApplication {
    func silentlyOrNone(in surroundings: Surroundings) async throws -> MSALResult? {
        do {
            return try await silent(in: surroundings)
        } catch let error where needsSignIn(error) || Demand.isUndecided(error) {
            return nil
        }
    }

    func result(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        try await interruptible {
            try await demand.agreeing(mayAsk: mayInteract, in: surroundings) { demand in
                var access = self
                access.demand = demand
                do {
                    return try await access.wholeResult(mayInteract: mayInteract, in: surroundings)
                } catch let error where Demand.isUndecided(error) {
                    // The question is about what the server asks for today, not when it was asked first.
                    guard try await access.refresh(in: surroundings) else { throw error }
                    return try await access.wholeResult(mayInteract: mayInteract, in: surroundings)
                }
            }
        }
    }

    private func wholeResult(mayInteract: Bool, in surroundings: Surroundings) async throws -> MSALResult {
        var username: String?
        do {
            guard !skipsCache else { return try await signInOnce(in: surroundings) }
            return try await silent(in: surroundings) { username = $0.username }
        } catch let error where mayInteract && !skipsCache && needsSignIn(error) {
            return try await signInOnce(in: surroundings)
        } catch let error where isOfLostClient(error) {
            throw Failure(
                .interactionRequired, name: "registrationGone",
                "The authority no longer knows the client that Keyturn registered there, or its secret has expired.",
                nextStep: "Run 'keyturn sign-in' to register again.")
        } catch let error as MSALAuthenticationError where demand.isDemanding && needsSignIn(error) {
            var failure = Failure(error)
            failure.nextStep = .signInAsAdvised
            // A sign-in without the challenge or the claims wouldn't meet them.
            failure.advice =
                "Run the same command where the user can sign in: in a terminal, and without --no-interaction."
            throw failure
        } catch let error as MSALAuthenticationError where needsSignIn(error) {
            // A whole username is already in the suggested command (`SuggestedCommand`).
            guard let username, let name = demand.accountName, !name.isWholeUsername else { throw error }
            var failure = Failure(reporting: error)
            failure.hasOwnAdvice = true
            failure.advice = failure.advice.replacing(
                "'keyturn sign-in'", with: "'keyturn sign-in --login-hint \(username.quotedForShell)'")
            throw failure
        }
    }

    private func needsSignIn(_ error: any Error) -> Bool {
        !Demand.isUndecided(error) && (Self.needsInteraction(error) || isOfLostClient(error))
    }

    private func isOfLostClient(_ error: any Error) -> Bool {
        let isOfClient = [.misconfigured, .rejected, .signInRequired].contains((error as NSError).failureKind)
        return isOfClient && application?.isClientRegistrationRejected == true
    }

    private static func needsInteraction(_ error: any Error) -> Bool {
        Failure(reporting: error).exitCode == .interactionRequired
    }

    private func signInOnce(in surroundings: Surroundings) async throws -> MSALResult {
        let turn = SignInTurn(
            profile: profile, scopes: [demand.resource?.absoluteString].compactMap(\.self) + demand.scopes,
            environment: surroundings.environment)
        return try await turn.run {
            guard !settings.isQuiet else { return }
            let holder = turn.holder?.name ?? "another keyturn process"
            surroundings.tell("Waiting for \(holder), which is signing in.\n")
        } _: { hasWaited in
            guard hasWaited else { return try await signIn(in: surroundings) }
            do {
                var access = self
                access.demand.forceRefresh = false
                // The sign-in may have registered another client.
                if demand.resource != nil { access.application = try known() ?? application }
                return try await access.silent(in: surroundings)
            } catch let error where Self.needsInteraction(error) && !Demand.isUndecided(error) {
                // The other process may have ended, or signed in another user.
                guard turn.hasFailed else { return try await signIn(in: surroundings) }
                throw Failure(
                    .interactionRequired, name: "sharedSignInEnded",
                    "The sign-in of another keyturn process ended without a token.", nextStep: "Run the command again.")
            }
        }
    }

    private func signIn(in surroundings: Surroundings) async throws -> MSALResult {
        try willSignIn()
        return try await signIn(by: profile.methods, in: surroundings) { application in
            let account = try await account(of: application)
            let signIn = PlainSignIn(
                methods: profile.methods, demand: try demand.completed(by: application), account: account,
                requiredUser: account == nil ? demand.accountName : nil)
            return try await signIn.result(of: application, in: surroundings).warned(in: surroundings)
        }
    }

    private func silent(
        in surroundings: Surroundings, found: (MSALAccount) -> Void = { _ in }
    ) async throws -> MSALResult {
        let application = try signedIn()
        guard let account = try await account(of: application) else {
            throw application.noAccount(
                named: demand.accountName, among: settings.profiles(in: surroundings.environment))
        }
        found(account)
        let isQuiet = settings.isQuiet
        do {
            return try await demand.silent(application, account, at: surroundings.now()) { event in
                guard !isQuiet, (event.step, event.phase) == (.waitForRefresh, .started) else { return }
                surroundings.tell("\(Printable.sanitize(event.detail)). Press Ctrl-C to stop waiting.\n")
            }.warned(in: surroundings)
        } catch let error as NSError where error.says(account, isNotOf: application) {
            let profiles = settings.profiles(in: surroundings.environment)
            throw application.failure(of: account, ofAnotherAuthorityAmong: profiles, maySignIn: true)
        }
    }

    private func account(of application: MSALPublicClientApplication) async throws -> MSALAccount? {
        guard let accountName = demand.accountName else { return try await application.onlyAccount(by: choice) }
        return try await application.account(named: accountName, by: choice)
    }
}
