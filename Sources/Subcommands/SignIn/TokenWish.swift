import Foundation
import MSAL

/// What a command asks the library for: which token, from whom.
struct TokenWish: Sendable {
    var scopes: [String]
    /// Asks this tenant of the profile's authority in place of the authority itself.
    var tenant: String?
    /// JSON of a claims request.
    var claims: String?
    /// How long the token has to last, in seconds.
    var minimumValidity: TimeInterval = 0
    /// The profile's.
    private var authority: URL?
    private let namesScopes: Bool

    init(scopes: [String], tenant: String? = nil, claims: String? = nil) {
        namesScopes = !scopes.isEmpty
        self.scopes = scopes.withoutAlwaysRequested
        self.tenant = tenant
        self.claims = claims
    }

    /// With the profile's scopes where none were given.
    func completed(by profile: Profile) -> TokenWish {
        var wish = self
        if !namesScopes { wish.scopes = profile.scopes }
        wish.authority = profile.authority
        return wish
    }

    /// Throws what the library says of the tenant or the claims.
    func fill(_ parameters: MSALTokenParameters) throws {
        if let tenant, let authority { parameters.authority = try MSALAADAuthority(url: authority, rawTenant: tenant) }
        parameters.claimsRequest = try claims.map { try MSALClaimsRequest(jsonString: $0) }
    }

    /// From the cache while it lasts long enough, else renewed.
    func silent(
        _ application: MSALPublicClientApplication, _ account: MSALAccount, forceRefresh: Bool, at now: Date,
        events: (@Sendable (MSALFlowEvent) -> Void)? = nil
    ) async throws -> MSALResult {
        let parameters = MSALSilentTokenParameters(scopes: scopes, account: account)
        try fill(parameters)
        parameters.forceRefresh = forceRefresh
        parameters.flowEventHandler = events
        let result = try await application.acquireTokenSilent(with: parameters)
        if forceRefresh || lasts(result, from: now) { return result }
        parameters.forceRefresh = true
        return try await application.acquireTokenSilent(with: parameters)
    }

    func lasts(_ result: MSALResult, from now: Date) -> Bool {
        guard minimumValidity > 0, let end = result.expiresOn else { return true }
        return end.timeIntervalSince(now) >= minimumValidity
    }
}
