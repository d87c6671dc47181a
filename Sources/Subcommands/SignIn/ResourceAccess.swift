import Console
import Diagnosis
import Foundation
import MSAL

/// A resource that the command line names by its URL, and the applications for it.
struct ResourceAccess: Sendable {
    static let option = Option("resource", argument: "URL", "Ask the API at this URL for its authority, and use that")
    static let cachedOption = Option("resource", argument: "URL", "Use the accounts that signed in with this API's URL")
    static let namedOption = Option(
        "resource", argument: "URL", standard: "the request's URL",
        "Use the accounts that signed in with this API's URL, or ask it for its authority")
    static let accountName = Option("as", argument: "NAME", "Name for the account (not at Microsoft Entra)")

    var url: URL
    var profile: Profile
    var challenge: MSALChallenge?
    var accountName: String?
    /// The scopes that the command line names. Those of a profile are for its own authority.
    var namedScopes: [String] = []
    var settings: Settings
    /// Whether to leave the cache as it is, also without repairs.
    var isLookedAtOnly = false
    /// Whether a user reads what a sign-in says of its page.
    private var allowsStrangePages = false
    /// What the resource said, if this command has asked it.
    private(set) var found: MSALProtectedResource?

    init(
        url: URL, profile: Profile, challenge: MSALChallenge? = nil, accountName: String? = nil,
        namedScopes: [String] = [], settings: Settings
    ) {
        self.url = url
        self.profile = profile
        self.challenge = challenge
        self.accountName = accountName
        self.namedScopes = namedScopes
        self.settings = settings
    }

    /// The URL of an option.
    static func url(_ text: String?, of option: Option = option) throws(UsageError) -> URL? {
        guard let text else { return nil }
        guard let url = URL(string: text), url.scheme != nil, url.host() != nil else {
            throw .badArgument(option, argument: text, wanted: "an https URL")
        }
        return url
    }

    /// The application from the cache, or by asking the resource, which a sign-in then doesn't repeat.
    ///
    /// - Parameter mayInteract: whether a sign-in can follow. It registers this client, so `nil` if only that is missing.
    mutating func firstApplication(
        mayInteract: Bool, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication? {
        if let known = try knownApplication() { return known }
        let resource = try await discover(in: surroundings)
        found = resource
        if mayInteract, resource.clientId.isEmpty { return nil }
        return try await application(for: resource, registering: false, in: surroundings)
    }

    /// The responses of the resource and its authority, with those that a sign-in wouldn't ask for.
    func probe() async throws -> MSALResourceProbe {
        await MSALPublicClientApplication.probeResource(at: url, configuration: try configuration())
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

    /// The application as the resource describes it now; `nil` if this command has asked it, or if that needs a sign-in.
    mutating func rediscovered(in surroundings: Surroundings) async throws -> MSALPublicClientApplication? {
        guard found == nil else { return nil }
        let resource = try await discover(in: surroundings)
        found = resource
        return resource.clientId.isEmpty
            ? nil : try await application(for: resource, registering: false, in: surroundings)
    }

    private func discover(in surroundings: Surroundings) async throws -> MSALProtectedResource {
        try await MSALPublicClientApplication.protectedResource(
            at: url, challenge: challenge, configuration: try configuration(), events: events(in: surroundings))
    }

    private func application(
        for resource: MSALProtectedResource, registering: Bool = true, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication {
        try await MSALPublicClientApplication.application(
            for: resource, configuration: try configuration(), registering: registering,
            events: events(in: surroundings))
    }

    private func events(in surroundings: Surroundings) -> @Sendable (MSALFlowEvent) -> Void {
        let isQuiet = settings.isQuiet || surroundings.errorWriter != nil
        return { event in
            let lines = FlowNarrator(isQuiet: isQuiet).lines(event).map { $0 + "\n" }
            if !lines.isEmpty { surroundings.tell(lines.joined()) }
        }
    }

    /// The application of an earlier sign-in. Throws if there was none.
    func signedInApplication() throws -> MSALPublicClientApplication {
        if let known = try knownApplication() { return known }
        throw Failure(
            .interactionRequired, name: "resourceUnknown", "No token for \(url.absoluteString) is cached.",
            nextStep: "Run 'keyturn sign-in'.")
    }

    /// The application from the cache; `nil` if the resource is unknown.
    func knownApplication() throws -> MSALPublicClientApplication? {
        try MSALPublicClientApplication.knownApplication(
            forResource: url, challenge: challenge, configuration: try configuration())
    }

    private func configuration() throws -> MSALPublicClientApplicationConfig {
        let accountName = accountName
        return try profile.configuration {
            $0.resourceAccountName = accountName
            $0.registrationScopes = namedScopes
            $0.requiredReservedScopes = namedScopes.alwaysRequested
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
        try PlainSignIn.checkInput(of: methods, in: surroundings)
        let resource = if let found { found } else { try await discover(in: surroundings) }
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

extension TokenWish {
    /// The request for an application, which may be that of a resource.
    func completed(by application: MSALPublicClientApplication) throws -> TokenWish {
        var wish = completed(by: application.configuration.resource)
        guard !namesScopes, let resource = application.configuration.resource else { return wish }
        wish.scopes = try application.scopes(wish.scopes, for: resource.url, meeting: challenge)
        return wish
    }

    /// The request for a resource: its scopes, unless the command line names others.
    func completed(by resource: MSALProtectedResource?) -> TokenWish {
        guard let resource else { return self }
        var wish = self
        if !namesScopes { wish.scopes = resource.scopes.withoutAlwaysRequested }
        return wish
    }
}

extension Settings {
    /// The applications for a command about cached accounts: that of the profile or a resource; without a configuration, of
    /// each resource that was signed in to.
    func applications(
        forResource resource: URL?, in environment: [String: String]
    ) throws -> [MSALPublicClientApplication] {
        guard resource == nil, !hasProfile(in: environment) else {
            return [try application(forResource: resource, in: environment)]
        }
        let found = try signedInResources(in: environment)
        guard !found.isEmpty else { return [try application(forResource: nil, in: environment)] }
        return try found.map { try application(forResource: $0.url, in: environment) }
    }

    /// The resources that have accounts in the cache.
    func signedInResources(in environment: [String: String]) throws -> [MSALProtectedResource] {
        let profile = try profile(in: environment, forResource: URL(string: "https://localhost"))
        return try MSALPublicClientApplication.signedInResources(configuration: profile.configuration())
    }

    /// The application with an account of this name, or the first one.
    func application(
        with account: String, forResource resource: URL?, in environment: [String: String]
    ) async throws -> MSALPublicClientApplication {
        let applications = try applications(forResource: resource, in: environment)
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

    /// The application for a command about cached accounts: that of the profile, or of a resource.
    func application(
        forResource resource: URL?, in environment: [String: String]
    ) throws -> MSALPublicClientApplication {
        let profile = try profile(in: environment, forResource: resource)
        guard let resource else { return try profile.application() }
        return try ResourceAccess(url: resource, profile: profile, settings: self).signedInApplication()
    }
}
