import Foundation
import OAuthCore

/// The caller's parameters at the time of the call, because they are classes and may change later.
package struct TokenRequestSnapshot: Sendable, Hashable {
    package var scopes: Scopes
    /// The scopes to request for a resource that only offers them: the token can have fewer.
    package var offeredScopes: Scopes = []
    /// The scopes of earlier sign-ins, requested again so that the new refresh token covers them.
    package var grantedScopes: Scopes = []
    package var account: AccountReference?
    package var authority: Authority
    package var extraQueryParameters: Parameters
    package var correlationID: UUID
    package var scheme: TokenScheme
    /// The requested claims. A request with claims skips the cached token, which may lack them.
    package var claims: ClaimsRequest
    /// The authentication contexts of a step-up challenge (RFC 9470 §4).
    package var acrValues: String?
    /// Of the user's authentication, in seconds.
    package var maximumAge: Int?
    /// Whether only a sign-in can meet the resource's challenge.
    package var requiresSignIn = false
    /// The user who has to sign in, by username or account identifier.
    package var requiredUser: String?
    package var destination: MSALTokenDestination?
    package var brokerAvailability = MSALGlobalConfig.brokerAvailability
    package var brokerPreference = MSALBrokerPreference.asConfigured

    /// Whether the scopes are those of a managed server, which its own authority knows, not the one of the sign-in.
    package var isForManagedServer = false

    /// The scopes to send, besides the reserved ones.
    package var requestedScopes: Scopes {
        (isForManagedServer ? [] : resourceScopes).union(grantedScopes.withoutReserved)
    }

    package var resourceScopes: Scopes { scopes.union(offeredScopes) }

    /// The `claims` parameter including the client capabilities, or `nil` without either.
    package func claimsText(capabilities: [String]) -> String? {
        let all = claims.adding(capabilities: capabilities)
        return all.isEmpty ? nil : all.json.serialized
    }

    init(_ parameters: MSALTokenParameters, settings: ApplicationSettings, correlationID: UUID) throws {
        scopes = Scopes(parameters.scopes)
        try scopes.checkNames()
        let reserved = scopes.reservedNames
        guard reserved.isEmpty else { throw AuthenticationFailure.caller(.reservedScopes(reserved)) }
        isForManagedServer = settings.managedServer != nil
        if let resource = settings.managedServer?.resource ?? settings.resource, resource.offersScopes,
            !parameters.requiresOfferedScopes, scopes == Scopes(resource.scopes)
        {
            (offeredScopes, scopes) = (scopes, [])
        }
        account = parameters.account.flatMap(AccountReference.init)
        if let resource = settings.resource, resource.isNamedHere(parameters.account) { account?.hint = nil }
        authority = parameters.authority?.value ?? settings.authority
        guard authority.kind.name == settings.authority.kind.name else {
            throw AuthenticationFailure.caller(.authorityKindMismatch(authority.url))
        }
        guard !authority.readsClientIDAsItself || !parameters.scopes.contains(settings.clientID) else {
            throw AuthenticationFailure.invalid("The client ID is not a scope of this kind of authority.")
        }
        extraQueryParameters = Parameters(parameters.extraQueryParameters ?? [:])
        guard extraQueryParameters.formEncoded.utf8.count <= AuthorizationRequest.maximumLength else {
            throw AuthenticationFailure.invalid("The extra query parameters are too long.")
        }
        self.correlationID = correlationID
        destination = parameters.destination
        scheme = try TokenScheme(parameters.authenticationScheme)
        claims = try parameters.claimsRequest?.value() ?? ClaimsRequest()
        try parameters.challenge.map { try apply($0) }
        try settleClaims(isGivenTwice: parameters.claimsRequest != nil)
    }

    private mutating func apply(_ challenge: MSALChallenge) throws {
        scopes = scopes.union(Scopes(challenge.scopes))
        try scopes.checkNames()
        if let text = challenge.claims { claims = claims.merging(try ClaimsRequest(parsing: text)) }
        acrValues = challenge.acrValues
        maximumAge = challenge.maxAge
        requiresSignIn = challenge.requiresSignIn
    }

    /// At Microsoft Entra ID only the claims request sends `claims` (docs/upstream-behaviour.md §7.1).
    private mutating func settleClaims(isGivenTwice: Bool) throws {
        guard extraQueryParameters["claims"] != nil else { return }
        guard !isGivenTwice else {
            throw AuthenticationFailure.invalid(
                "Claims are given both as the claims request and among the extra query parameters.")
        }
        if authority.tenant != nil { extraQueryParameters["claims"] = nil }
    }
}

extension AccountReference {
    init?(_ account: MSALAccount) {
        guard account.identifier != nil || account.username != nil else { return nil }
        self.init(
            homeAccountID: account.identifier ?? "", objectID: account.homeAccountId?.objectId,
            tenantID: account.homeAccountId?.tenantId, username: account.username,
            hint: account.username.flatMap { $0 == account.homeAccountId?.objectId && $0.isOpaque ? nil : $0 },
            environment: account.environment)
    }
}

extension String {
    /// Whether a subject is a number or a GUID, which means nothing on a sign-in page.
    fileprivate var isOpaque: Bool { allSatisfy { !$0.isLetter } || UUID(uuidString: self) != nil }
}

extension Authority {
    /// Whether the client ID is reserved and so not a valid scope. B2C uses it as the scope of the application's own API,
    /// and OpenID providers can define any scope.
    fileprivate var readsClientIDAsItself: Bool {
        switch kind {
        case .aad, .ciam: true
        case .b2c, .openID, .oauth: false
        }
    }
}

extension Scopes {
    /// In bytes. No authority has such names, and their errors repeat them.
    private static let longestName = 2048

    /// Throws for names that would not arrive unchanged at the authority.
    func checkNames() throws {
        guard text.utf8.count <= AuthorizationRequest.maximumLength else {
            throw AuthenticationFailure.invalid("The scopes are too long.")
        }
        guard names.allSatisfy({ $0.utf8.count <= Self.longestName }) else {
            throw AuthenticationFailure.invalid("A scope is longer than \(Self.longestName) characters.")
        }
        guard malformedNames.isEmpty else {
            throw AuthenticationFailure.invalid(
                "A scope contains a space or another invalid character. Pass each scope separately.")
        }
    }
}

extension Parameters {
    /// Sorts by name, so that equal requests compare equal.
    init(_ dictionary: [String: String]) {
        self.init()
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }
}

struct InteractiveRequest: Sendable {
    var token: TokenRequestSnapshot
    var extraScopesToConsent: Scopes
    var prompt: MSALPromptType
    var loginHint: String?
    var domainHint: String?
    var prefersQRPIN = false
    var access: BrowserVisit.Access

    var username: String? { loginHint ?? token.requiredUser }
}

package struct SilentRequest: Sendable, Hashable {
    package var token: TokenRequestSnapshot
    package var forceRefresh: Bool
    /// Whether to send no request, and to return also a token that has expired.
    package var usesOnlyCache = false
    /// Whether to use the application's own refresh token when the broker returned no token.
    package var mayRefreshInBrokersPlace = true

    /// The request without its correlation ID, to compare requests.
    package var identity: SilentRequest {
        var identity = self
        identity.token.correlationID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return identity
    }
}
