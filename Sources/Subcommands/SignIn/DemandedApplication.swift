import Console
import Diagnosis
import Foundation
import MSAL

/// The application for a demand: the profile's, or that of a resource, which the command line names by its URL.
struct DemandedApplication: Sendable {
    @Boxed var demand: Demand
    @Boxed var profile: Profile
    /// Chooses if several accounts fit.
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

    /// The application from the cache; `nil` if the resource is unknown.
    func known() throws -> MSALPublicClientApplication? {
        guard let resource = demand.resource else { return try profile.application() }
        return try MSALPublicClientApplication.knownApplication(
            forResource: resource, challenge: challenge, configuration: try configuration())
    }

    /// The application of an earlier sign-in. Throws if there was none.
    func signedIn() throws -> MSALPublicClientApplication {
        if let known = try application ?? known() { return known }
        throw Failure(
            .interactionRequired, name: "resourceUnknown",
            "No token for \(demand.resource?.absoluteString ?? "the API") is cached.",
            nextStep: "Run 'keyturn sign-in'.")
    }

    /// Finds the application in the cache, or by asking the resource, which a sign-in then doesn't repeat.
    ///
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

    /// Asks the resource again; whether it asks for other scopes now.
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

    /// The application with a registered client, which is registered now if needed.
    func registered(
        _ found: MSALProtectedResource, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication {
        try await inTurn(at: found, in: surroundings) { try await application(for: found, in: surroundings) }
    }

    /// The profile with the authority and the client of a resource.
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
    ///
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
            do {
                return try await work(application)
            } catch {
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
