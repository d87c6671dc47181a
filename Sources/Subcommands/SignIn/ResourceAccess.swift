import Foundation
import MSAL

/// A resource that the command line names by its URL, and the applications for it.
struct ResourceAccess: Sendable {
    static let option = Option("resource", argument: "URL", "Ask the API at this URL for its authority, and use that")
    static let cachedOption = Option("resource", argument: "URL", "Use the accounts that signed in with this API's URL")
    static let accountName = Option("as", argument: "NAME", "Name for the account (not at Microsoft Entra)")

    var url: URL
    var profile: Profile
    var challenge: MSALChallenge?
    var accountName: String?
    var settings: Settings
    /// Whether this command has just asked the resource.
    var isFresh = false

    /// The URL of an option.
    static func url(_ text: String?, of option: Option = option) throws(UsageError) -> URL? {
        guard let text else { return nil }
        guard let url = URL(string: text), url.scheme != nil, url.host() != nil else {
            throw .badArgument(option, argument: text, wanted: "an https URL")
        }
        return url
    }

    /// The application, from the cache or by asking the resource.
    func application(
        renewing: Bool = false, registering: Bool = true, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication {
        let isQuiet = settings.isQuiet || surroundings.errorObject != nil
        return try await MSALPublicClientApplication.application(
            forResource: url, challenge: challenge, configuration: try configuration(), renewing: renewing,
            registering: registering
        ) { event in
            let lines = FlowNarrator(isQuiet: isQuiet).lines(event).map { $0 + "\n" }
            if !lines.isEmpty { surroundings.tell(lines.joined()) }
        }
    }

    /// The application from the cache, or by asking the resource, which a sign-in then doesn't repeat.
    ///
    /// - Parameter mayInteract: whether a sign-in can follow. Without one, a new registration would be unused.
    mutating func firstApplication(
        mayInteract: Bool, in surroundings: Surroundings
    ) async throws -> MSALPublicClientApplication {
        if let known = try knownApplication() { return known }
        isFresh = true
        let access = self
        guard mayInteract else { return try await access.application(registering: false, in: surroundings) }
        // One process registers for all that start at once, so that they find the account of one sign-in.
        let turn = SignInTurn(
            profile: profile, scopes: ["registration", url.absoluteString], environment: surroundings.environment)
        return try await turn.take {
        } _: { _ in
            if let known = try access.knownApplication() { return known }
            return try await access.application(in: surroundings)
        }
    }

    /// The application of an earlier sign-in. Throws if there was none.
    func signedInApplication() throws -> MSALPublicClientApplication {
        if let known = try knownApplication() { return known }
        throw CommandFailure(
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
        return try profile.configuration { $0.resourceAccountName = accountName }
    }

    /// Signs in by `work`, after asking the resource anew unless that has just happened.
    ///
    /// A server can delete a registration without notice, and its page then never returns. So the registration is
    /// forgotten after a sign-in that failed, unless it has tokens, and made again at once if the server rejects the client.
    func signIn(
        in surroundings: Surroundings, _ work: (MSALPublicClientApplication) async throws -> MSALResult
    ) async throws -> MSALResult {
        let application = try await application(renewing: !isFresh, in: surroundings)
        do {
            return try await work(application)
        } catch {
            let isGone = Self.saysClientIsGone(error)
            try? application.forgetClientRegistration(unlessUsed: !isGone)
            guard isGone, application.configuration.resource?.clientSource == .registration else { throw error }
            return try await work(try await self.application(renewing: true, in: surroundings))
        }
    }

    /// Whether the authority no longer knows the client (RFC 6749 §5.2).
    static func saysClientIsGone(_ error: any Error) -> Bool {
        (error as NSError).userInfo[MSALOAuthErrorKey] as? String == "invalid_client"
    }
}

extension TokenWish {
    /// The request for a resource's application: its scopes, unless the command line names others.
    func completed(by application: MSALPublicClientApplication) -> TokenWish {
        guard let resource = application.configuration.resource else { return self }
        var wish = self
        if !namesScopes { wish.scopes = resource.scopes.withoutAlwaysRequested }
        return wish
    }
}

extension Settings {
    /// The application for a command about cached accounts: that of the profile, or of a resource.
    func application(
        forResource resource: URL?, in environment: [String: String]
    ) throws -> MSALPublicClientApplication {
        let profile = try profile(in: environment, forResource: resource)
        guard let resource else { return try profile.application() }
        return try ResourceAccess(url: resource, profile: profile, settings: self).signedInApplication()
    }
}
