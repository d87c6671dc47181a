import Foundation
import KeyturnSystem
import OAuthCore

/// The cause of a failed call as facts, grouped by who has to act.
package enum AuthenticationFailure: Error, Sendable, Equatable {
    case caller(CallerFailure)
    case user(UserFailure)
    case authority(AuthorityFailure)
    case network(TransportFailure, host: String)
    case store(CredentialStoreFailure)
    case machine(MachineFailure)
    /// An unforeseen error: the name of its type, never its text.
    case unexpected(String)

    static func invalid(_ reason: String) -> Self { .caller(.invalidParameter(reason)) }

    static func needsSignIn(_ reason: UserFailure.InteractionReason) -> Self { .user(.interactionRequired(reason)) }

    init(_ failure: TransportFailure, host: String) {
        self = failure.kind == .cancelled ? .user(.canceled) : .network(failure, host: host)
    }

    /// The result of `work`. A failure of the store becomes ``store(_:)``.
    static func ofStore<Value>(_ work: @autoclosure () throws -> Value) throws -> Value {
        do { return try work() } catch let failure as CredentialStoreFailure { throw Self.store(failure) }
    }

    package var kind: MSALFailureKind { Failure.described(self).kind }
    var rejection: OAuthErrorResponse? { response?.rejection }

    /// The response that failed, also when the failure repeats an earlier one.
    var response: ResponseFailure? {
        if case .authority(.throttled(let earlier)) = self { return earlier.response }
        guard case .authority(.response(let failure)) = self else { return nil }
        return failure
    }
}

package enum CallerFailure: Sendable, Equatable {
    case invalidParameter(String)
    /// The data is no token cache, or one of another kind.
    case notACache(String)
    case clientIDMissing
    case clientSecret(String, next: String)
    case redirect(RedirectURIRejection)
    /// Broker schemes that `Info.plist` lacks under `LSApplicationQueriesSchemes`.
    case brokerSchemesNotListed([String])
    case authority(String, AuthorityRejection)
    case reservedScopes([String])
    case accountMissing
    case accountNotFound(String)
    case accountOfAnotherAuthority(environment: String, host: String)
    /// The number of signed-in accounts, where a single-account program expects one.
    case severalAccounts(Int)
    case sessionAlreadyRunning(RunningSession, now: Date)
    case authorityKindMismatch(URL)
    /// A B2C host that is neither Microsoft's nor among the known authorities.
    case authorityNotKnown(URL)
}

package enum UserFailure: Sendable, Equatable {
    case canceled
    case canceledAfterSaving
    /// Cancelled while a code or token was being redeemed, and the response didn't arrive in time.
    case canceledWithoutResponse
    /// The user changed a held request, so what came of it isn't kept.
    case requestChanged
    case interactionRequired(InteractionReason)
    /// The pasted text isn't the authorization response for this redirect URI. The sign-in continues to wait.
    case pasted(PastedResponse.Reason, redirectURI: URL)
    case noWaitingSignIn
    case deviceCodeExpired
    case mismatchedAccount(expected: String, found: String)
    /// No response came from the sign-in page, or from the broker's window, in time.
    case signInUnanswered(host: String, seconds: Double)
    /// The browser didn't return from the sign-out page in time. The tokens are already removed.
    case signOutUnconfirmed(host: String)

    /// Seconds to wait for the browser after a sign-out.
    package static let signOutPatience = 120.0

    package enum InteractionReason: Sendable, Equatable {
        case noAccount, signedOut, noRefreshToken
        /// Which an assertion for a managed server needs.
        case noIDToken
        /// The cache alone was asked.
        case noAccessToken
        /// The last sign-in didn't grant these scopes, and a refresh token can't extend them (RFC 6749 §6).
        case scopesNotGranted([String])
        case notRegistered(URL, issuer: String)
        case anotherCloud(host: String)
        /// The resource requires a newer or stronger authentication (RFC 9470).
        case stepUp
        /// Nobody decided that a server gets such a token. `isNamed`: the user named other scopes for it.
        case notAgreed(MSALTokenAgreement, isNamed: Bool)
    }
}

package indirect enum AuthorityFailure: Sendable, Equatable {
    case metadata(URL, MetadataProblem)
    case response(ResponseFailure)
    case protectionPolicyRequired(OAuthErrorResponse, homeAccountID: String, username: String?)
    /// The failure of an earlier request, repeated without a new request.
    case throttled(AuthenticationFailure)
    /// The response to a refresh replaced the refresh token, but can't be used.
    case refreshLost(AuthenticationFailure)
    case badCallback(AuthorizationResponse.Failure)
    /// The token response, with status 200, is invalid.
    case malformedResponse(TokenResponseFailure.Fact)
    case idTokenRejected([Verdict])
    case idTokenMalformed(JWTMalformed)
    case clientInfoMissing
    case logoutEndpointMissing(URL)
    case deviceCodeNotOffered(URL)
    case declinedScopes(granted: [String], declined: [String])
    /// The way from a resource to a token failed. The URL is the resource's, or that of a document.
    case resource(URL, ResourceProblem)
    /// The browser didn't sign out. The tokens here are already removed.
    case signedOutOnlyHere(AuthenticationFailure, host: String, page: URL?)

    package enum ResourceProblem: Sendable, Equatable {
        /// Not https, nor http on this computer.
        case notResource
        case noMetadata
        /// There is no metadata, and nothing at this path either.
        case notFound
        /// There is no metadata, and the resource responds without a token.
        case needsNoToken
        /// There is no metadata, and a redirect, which is not followed, leads to this address.
        case redirected(String)
        case metadata(String)
        case challenge(String)
        /// The resource that the metadata is about.
        case mismatch(String)
        case unsafeAddress(String)
        case status(Int)
        case noServer
        case noRegistration(issuer: String, readsDocuments: Bool = false, hasClient: Bool = false)
        case registration(String)
        /// The authority's metadata has another issuer than the resource names, or than the resource itself as its own server.
        case otherIssuer(expected: String, found: String, isOwn: Bool = false)
        /// The resource names these authorities, but the configuration another one for it.
        case otherAuthority(String, configured: String)
        /// The token is this authority's, but the configuration has another one issue the server's tokens.
        case managedElsewhere(String, configured: String)
        /// The organisation's assertion is for others than the resource's issuer.
        case strangeAssertion(String, issuer: String)
        /// The sign-in page can be another authority's, whose codes this one gets.
        case strangePage(page: String, recipient: String)
        /// The metadata has named another server since the sign-in, which would get what is kept of it.
        case strangeRecipient(String, of: String)
        case unreachable(TransportFailure)
        /// The resource asks for tokens of an API of Microsoft, with these scopes, which aren't for it; or the profile has them.
        /// It may have others already.
        case foreignAPI(String, scopes: [String], isAsked: Bool, allowed: [String] = [])
    }

    package enum MetadataProblem: Sendable, Equatable {
        case notDiscovery(OpenIDConfiguration.Malformed)
        /// The authority rules out S256 (RFC 7636), which the library always uses.
        case noS256
        case issuerMismatch(expected: String, found: String)
        case notKeys(JWKSet.Malformed)
        case unknownInstance
    }
}

package enum MachineFailure: Sendable, Equatable {
    case brokerNotAvailable
    case brokerFailed(BrokerFailure)
    case brokerResponseMalformed(TokenResponseFailure.Fact)
    case broker(BrokerRejection)
    case deviceNotRegistered
    case refreshHeldUp(by: TurnHolder?, seconds: Int)
    case receiver(RedirectReceiverFailure)
    case noBrowser(String)
    case proofKey(ProofKeyFailure)
    case externalAccounts(NSError)
}

/// What the error of some failures has besides the texts and codes of ``Failure`` (docs/upstream-behaviour.md §6).
extension AuthenticationFailure {
    var keys: [String: Any] {
        switch self {
        case .authority(let failure): failure.keys
        case .network(let failure, _): [NSUnderlyingErrorKey: failure.urlError]
        // As for keychain errors (docs/upstream-behaviour.md §6.2).
        case .store(let failure):
            [NSUnderlyingErrorKey: NSError(domain: "NSOSStatusErrorDomain", code: failure.kind.status)]
        case .machine(.broker(let rejection)): rejection.keys
        case .machine(.externalAccounts(let error)): [NSUnderlyingErrorKey: error]
        case .user(.interactionRequired(.notAgreed(let agreement, _))):
            [MSALTokenAgreementKey: agreement, MSALDestinationKey: agreement.url]
        case .caller, .user, .machine, .unexpected: [:]
        }
    }
}

extension AuthorityFailure {
    fileprivate var keys: [String: Any] {
        switch self {
        case .response(let failure): return failure.keys
        case .protectionPolicyRequired(let response, let homeAccountID, let username):
            var keys = response.keys
            keys[MSALHomeAccountIdKey] = homeAccountID
            keys[MSALDisplayableUserIdKey] = username
            return keys
        case .throttled(let earlier): return earlier.keys.merging([MSALThrottlingCacheHitKey: 1]) { _, new in new }
        case .refreshLost(let cause), .signedOutOnlyHere(let cause, _, _): return cause.keys
        // Instance discovery rejects an authority with other statuses.
        case .metadata(_, .unknownInstance): return [:]
        // Only documents and token responses with this status are checked.
        case .metadata, .malformedResponse, .clientInfoMissing: return [MSALHTTPResponseCodeKey: "200"]
        case .declinedScopes(let granted, let declined):
            return [MSALGrantedScopesKey: granted, MSALDeclinedScopesKey: declined]
        case .idTokenRejected(let verdicts): return [MSALFailedChecksKey: verdicts.map(\.rule.rawValue)]
        case .resource(_, .unreachable(let failure)): return [NSUnderlyingErrorKey: failure.urlError]
        case .resource(let url, .foreignAPI): return [MSALDestinationKey: url]
        case .badCallback, .idTokenMalformed, .logoutEndpointMissing, .deviceCodeNotOffered, .resource: return [:]
        }
    }
}

extension BrokerRejection {
    fileprivate var keys: [String: Any] {
        let keys: [String: Any?] = [
            MSALOAuthSubErrorDescriptionKey: message, MSALBrokerVersionKey: brokerVersion,
            NSUnderlyingErrorKey: status.urlError,
        ]
        return keys.compactMapValues(\.self)
    }
}

extension BrokerRejection.Status {
    fileprivate var urlError: NSError? {
        switch self {
        case .noNetwork: NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        case .networkTemporarilyUnavailable: NSError(domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost)
        case .unexpected, .reserved, .insufficientBuffer, .interactionRequired, .accountUnusable,
            .serverTemporarilyUnavailable, .userCanceled, .applicationCanceled, .incorrectConfiguration,
            .authorityUntrusted, .apiContractViolation, .userSwitch:
            nil
        }
    }
}
