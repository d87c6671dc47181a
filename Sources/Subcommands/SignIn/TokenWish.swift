import Foundation
import MSAL
import OAuthCore

/// The token that a command requests.
struct TokenWish: Sendable {
    var scopes: [String]
    /// A tenant to use instead of the authority's.
    var tenant: String?
    /// A claims request: JSON, or JSON in base64.
    var claims: String?
    /// The challenge of a resource to meet.
    var challenge: MSALChallenge?
    /// The server that gets the token, unless it is the application's resource.
    var destination: MSALTokenDestination?
    /// Whether the token must meet more than its scopes.
    var hasDemand: Bool { challenge != nil || claims != nil }
    /// The minimum lifetime of the token, in seconds.
    var minimumValidity: TimeInterval = 0
    /// The profile's authority.
    private var authority: URL?
    /// The scopes that the command line names, which are all sent.
    let namedScopes: [String]
    var namesScopes: Bool { !namedScopes.isEmpty }

    init(scopes: [String], tenant: String? = nil, claims: String? = nil) {
        namedScopes = scopes
        self.scopes = scopes.withoutAlwaysRequested
        self.tenant = tenant
        self.claims = claims
    }

    /// Whether the command line names scopes or a profile. A variable or an account is no decision about a server.
    func isNamed(by settings: Settings) -> Bool {
        namesScopes || settings.profileName != nil || settings.clientID != nil
    }

    /// The server that gets the token, or `nil` for the resource alone: with `--resource`, the token is for that, and another
    /// origin gets it only with a decision of its own.
    ///
    /// - Parameter isNamed: whether the user named the profile's token for this server.
    func destination(_ server: URL, of resource: URL?, isNamed: Bool) -> MSALTokenDestination? {
        guard let resource else { return MSALTokenDestination(server, namedScopes: isNamed ? scopes : nil) }
        let isOther = resource.origin != server.origin
        guard isOther || namesScopes else { return nil }
        return MSALTokenDestination(isOther ? server : resource, namedScopes: namesScopes ? scopes : nil)
    }

    /// Adds the profile's authority, and its scopes if the command line has none.
    /// Throws if it has a tenant, but the authority has none to choose.
    func completed(by profile: Profile) throws -> TokenWish {
        var wish = self
        if !namesScopes { wish.scopes = profile.scopes }
        wish.authority = profile.authority
        guard try tenant.map({ _ in try profile.libraryAuthority() is MSALAADAuthority }) ?? true else {
            throw Failure(
                .usage, name: "usage", "\(profile.authority.absoluteString) has no tenants to choose from.",
                nextStep: "Omit --tenant. It is for Microsoft Entra ID only.")
        }
        return wish
    }

    /// The profile with the scopes of the command line that no request can have itself, such as `offline_access`.
    func naming(in profile: Profile) -> Profile {
        var profile = profile
        profile.requiredReservedScopes += namedScopes.alwaysRequested
        return profile
    }

    /// Throws if the tenant or the claims are invalid.
    func fill(_ parameters: MSALTokenParameters) throws {
        parameters.requiresOfferedScopes = namesScopes
        if let tenant, let authority { parameters.authority = try MSALAADAuthority(url: authority, rawTenant: tenant) }
        parameters.claimsRequest = try claims.map { try MSALClaimsRequest(challenge: $0) }
        parameters.challenge = challenge
        parameters.destination = destination
    }

    /// Gets the token from the cache, or refreshes it if its lifetime is too short.
    func silent(
        _ application: MSALPublicClientApplication, _ account: MSALAccount, forceRefresh: Bool, at now: Date,
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

extension Failure {
    /// What `read` returns. A challenge that no token can meet is a failure of the API, not of the program.
    static func challenge(nextStep: String, read: () throws -> MSALChallenge) throws -> MSALChallenge {
        do {
            return try read()
        } catch let error as NSError {
            throw Failure(
                .failed, name: "challenge", "The API's challenge is unsupported. \(error.localizedDescription)",
                nextStep: nextStep)
        }
    }
}
