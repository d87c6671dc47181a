import Foundation
import OAuthCore

/// What a caller's parameters said when the call was made: they are classes and may change afterwards.
package struct TokenRequestSnapshot: Sendable, Hashable {
    package struct Account: Sendable, Hashable {
        /// Empty for an account that only its user name is known of, as in an ADAL cache.
        package var homeAccountID: String
        package var objectID: String?
        package var tenantID: String?
        package var username: String?
    }

    package var scopes: Scopes
    /// Scopes of earlier sign-ins, which a sign-in requests again so that its refresh token is good for them too.
    package var grantedScopes: Scopes = []
    package var account: Account?
    package var authority: Authority
    package var extraQueryParameters: Parameters
    package var correlationID: UUID
    package var scheme: TokenScheme
    /// What the caller asked for. A cached token may lack it, so a request with claims is not answered from the cache.
    package var claims: ClaimsRequest
    /// The user who has to sign in: a username or an account identifier.
    package var requiredUser: String?
    package var brokerAvailability = MSALGlobalConfig.brokerAvailability
    package var brokerPreference = MSALBrokerPreference.asConfigured

    /// The scopes that go on the wire, besides those that every request has.
    package var requestedScopes: Scopes { scopes.union(grantedScopes.withoutReserved) }

    /// The `claims` parameter, with what the application can handle; `nil` when there is nothing to say.
    package func claimsText(capabilities: [String]) -> String? {
        let all = claims.adding(capabilities: capabilities)
        return all.isEmpty ? nil : all.json.serialized
    }

    init(_ parameters: MSALTokenParameters, settings: ApplicationSettings, correlationID: UUID) throws {
        scopes = Scopes(parameters.scopes)
        try scopes.checkNames()
        let reserved = scopes.reservedNames
        guard reserved.isEmpty else { throw AuthenticationFailure.caller(.reservedScopes(reserved)) }
        account = parameters.account.flatMap(Account.init)
        authority = parameters.authority?.value ?? settings.authority
        guard authority.isSameKind(as: settings.authority) else {
            throw AuthenticationFailure.caller(.authorityKindMismatch(authority.url))
        }
        guard !authority.readsClientIDAsItself || !parameters.scopes.contains(settings.clientID) else {
            throw AuthenticationFailure.caller(
                .invalidParameter("The client ID is not a scope of this kind of authority."))
        }
        extraQueryParameters = Parameters(parameters.extraQueryParameters ?? [:])
        guard extraQueryParameters.formEncoded.utf8.count <= AuthorizationRequest.maximumLength else {
            throw AuthenticationFailure.caller(
                .invalidParameter("The extra query parameters are too long for an address."))
        }
        self.correlationID = correlationID
        scheme = try TokenScheme(parameters.authenticationScheme)
        claims = try parameters.claimsRequest?.value() ?? ClaimsRequest()
        try settleClaims(isGivenTwice: parameters.claimsRequest != nil)
    }

    /// Claims have a parameter of their own; Entra's are taken from there alone (docs/upstream-behaviour.md §7.1).
    private mutating func settleClaims(isGivenTwice: Bool) throws {
        guard extraQueryParameters["claims"] != nil else { return }
        guard !isGivenTwice else {
            throw AuthenticationFailure.caller(
                .invalidParameter(
                    "Claims are given both as the claims request and among the extra query parameters."))
        }
        if authority.tenant != nil { extraQueryParameters["claims"] = nil }
    }
}

extension TokenRequestSnapshot.Account {
    init?(_ account: MSALAccount) {
        guard account.identifier != nil || account.username != nil else { return nil }
        self.init(
            homeAccountID: account.identifier ?? "", objectID: account.homeAccountId?.objectId,
            tenantID: account.homeAccountId?.tenantId, username: account.username)
    }
}

extension Authority {
    /// Whether both are of one class: Entra, B2C, CIAM or OpenID.
    fileprivate func isSameKind(as other: Authority) -> Bool { kind.name == other.kind.name }

    /// B2C knows the client ID as the scope of the application's own access; other providers name scopes as they like.
    fileprivate var readsClientIDAsItself: Bool {
        switch kind {
        case .aad, .ciam: true
        case .b2c, .openID: false
        }
    }
}

extension Scopes {
    /// Refuses what would not arrive at the authority as it is written here.
    func checkNames() throws {
        guard text.utf8.count <= AuthorizationRequest.maximumLength else {
            throw AuthenticationFailure.caller(.invalidParameter("The scopes are too long for an address."))
        }
        guard malformedNames.isEmpty else {
            throw AuthenticationFailure.caller(
                .invalidParameter(
                    "A scope has a space or another character that no scope may have. Pass each scope by itself."))
        }
    }
}

extension Parameters {
    /// By name, so that equal requests are equal.
    init(_ dictionary: [String: String]) {
        self.init()
        for (name, value) in dictionary.sorted(by: { $0.key < $1.key }) { self[name] = value }
    }
}

/// What only an interactive call says.
package struct InteractiveRequest: Sendable {
    package var token: TokenRequestSnapshot
    package var extraScopesToConsent: Scopes
    package var prompt: MSALPromptType
    /// The username that the caller wants filled in.
    package var loginHint: String?
    package var domainHint: String?
    package var prefersQRPIN = false
    package var openURL: (@Sendable (URL) async throws -> Void)?
    package var lendTerminal: TerminalLender?
    /// The page shall neither use nor leave a session of the browser.
    package var isPrivate = false
    /// The program follows the flow's events, which have the address of the page.
    package var isFollowed = false

    /// The username to fill in where no account says one.
    package var username: String? { loginHint ?? token.requiredUser }
}

/// What only a sign-in with a device code says.
package struct DeviceCodeRequest: Sendable {
    package var token: TokenRequestSnapshot
    package var showCode: @Sendable (MSALDeviceCode) -> Void
}

/// What only a silent call says.
package struct SilentRequest: Sendable, Hashable {
    package var token: TokenRequestSnapshot
    package var forceRefresh: Bool
    /// Whether the application's own refresh token may serve when the broker gave no token.
    package var mayRenewInBrokersPlace = true

    /// What makes two requests the same: everything but the name they are logged under.
    package var identity: SilentRequest {
        var identity = self
        identity.token.correlationID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        return identity
    }
}
