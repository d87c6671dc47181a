import Foundation
import KeyturnSystem
import OAuthCore

/// The cause of a failed call as facts, grouped by who has to act. ``MSALAuthenticationError`` turns it into texts,
/// codes and keys.
package enum AuthenticationFailure: Error, Sendable, Equatable {
    case caller(CallerFailure)
    case user(UserFailure)
    case authority(AuthorityFailure)
    case network(TransportFailure, host: String)
    case store(CredentialStoreFailure)
    case machine(MachineFailure)
    /// An unforeseen error: the name of its type, never its text.
    case unexpected(String)

    /// A parameter that the caller must correct.
    static func invalid(_ reason: String) -> Self { .caller(.invalidParameter(reason)) }

    /// A request without a response.
    init(_ failure: TransportFailure, host: String) {
        self = failure.kind == .cancelled ? .user(.canceled) : .network(failure, host: host)
    }

    /// The result of `work`. A failure of the store becomes ``store(_:)``.
    static func ofStore<Value>(_ work: @autoclosure () throws -> Value) throws -> Value {
        do { return try work() } catch let failure as CredentialStoreFailure { throw Self.store(failure) }
    }

    package var kind: MSALFailureKind { Failure.described(self).kind }

    /// The authority's OAuth error, also when the failure repeats an earlier one.
    var rejection: OAuthErrorResponse? { response?.rejection }

    /// The response that failed, also when the failure repeats an earlier one.
    var response: ResponseFailure? {
        if case .authority(.throttled(let earlier)) = self { return earlier.response }
        guard case .authority(.response(let failure)) = self else { return nil }
        return failure
    }
}

/// An error in the calling program or its configuration.
package enum CallerFailure: Sendable, Equatable {
    case invalidParameter(String)
    /// The data is no token cache, or one of another kind.
    case notACache(String)
    case clientIDMissing
    /// The configured client secret can't be read or used.
    case clientSecret(String, next: String)
    case redirect(RedirectURIRejection)
    /// Broker schemes that `Info.plist` lacks under `LSApplicationQueriesSchemes`.
    case brokerSchemesNotListed([String])
    case authority(String, AuthorityRejection)
    case reservedScopes([String])
    case accountMissing
    case accountNotFound(String)
    /// The account belongs to `environment`, but the application's authority is at `host`.
    case accountOfAnotherAuthority(environment: String, host: String)
    /// The number of signed-in accounts, where a single-account program expects one.
    case severalAccounts(Int)
    case sessionAlreadyRunning(RunningSession, now: Date)
    /// The authority of a request is of another kind than the application's.
    case authorityKindMismatch(URL)
    /// A B2C host that is neither Microsoft's nor among the known authorities.
    case authorityNotKnown(URL)
}

/// A failure that the user caused or can resolve.
package enum UserFailure: Sendable, Equatable {
    case canceled
    /// Cancelled when the authority had issued the tokens, which are saved.
    case canceledAfterSaving
    /// Cancelled while a code or token was being redeemed, and the response didn't arrive in time.
    case canceledWithoutResponse
    /// The user changed a held request, so what came of it isn't kept.
    case requestChanged
    case interactionRequired(InteractionReason)
    /// The pasted text isn't the authorization response for this redirect URI. The sign-in continues to wait.
    case pasted(PastedResponse.Reason, redirectURI: URL)
    /// A response was pasted, but no sign-in waits.
    case noWaitingSignIn
    /// The user didn't enter the code in time.
    case deviceCodeExpired
    case mismatchedAccount(expected: String?, found: String?)
    /// No response came from the sign-in page, or from the broker's window, in time.
    case signInUnanswered(host: String, seconds: Double)
    /// The browser didn't return from the sign-out page in time. The tokens are already removed.
    case signOutUnconfirmed(host: String)

    /// Seconds to wait for the browser after a sign-out.
    package static let signOutPatience = 120.0

    package enum InteractionReason: Sendable, Equatable {
        case noAccount
        case signedOut
        case noRefreshToken
        /// The organisation's authority returned no ID token, which an assertion needs.
        case noIDToken
        /// The cache alone was asked.
        case noAccessToken
        /// The last sign-in didn't grant these scopes, and a refresh token can't extend them (RFC 6749 §6).
        case scopesNotGranted([String])
        /// The authority of a resource doesn't know this client yet.
        case notRegistered(URL, issuer: String)
        /// The tokens belong to another cloud than the endpoint.
        case anotherCloud(host: String)
        /// The resource requires a newer or stronger authentication (RFC 9470).
        case stepUp
        /// Nobody decided that a server gets such a token. `isNamed`: the user named other scopes for it.
        case notAgreed(MSALTokenAgreement, isNamed: Bool)
    }
}

/// The authority rejected a request or sent an invalid response.
package indirect enum AuthorityFailure: Sendable, Equatable {
    case metadata(URL, MetadataProblem)
    /// The response contains an error, or no usable result.
    case response(ResponseFailure)
    /// The account's tokens are restricted to applications with an app protection policy.
    case protectionPolicyRequired(OAuthErrorResponse, homeAccountID: String, username: String?)
    /// The failure of an earlier request, repeated without a new request.
    case throttled(AuthenticationFailure)
    /// The response to a refresh replaced the refresh token, but can't be used.
    case refreshLost(AuthenticationFailure)
    case badCallback(AuthorizationResponse.Failure)
    /// The token response is invalid. `status`: its HTTP status.
    case malformedResponse(TokenResponseFailure.Fact, status: Int)
    case idTokenRejected([Verdict])
    case idTokenMalformed(JWTMalformed)
    case clientInfoMissing
    case logoutEndpointMissing(URL)
    /// The discovery document has no device authorization endpoint.
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
        /// The challenge can't be met.
        case challenge(String)
        /// The resource that the metadata is about.
        case mismatch(String)
        /// An address that the resource must not name.
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
    /// The broker was called, but didn't respond.
    case brokerFailed(BrokerFailure)
    case brokerResponseMalformed(TokenResponseFailure.Fact)
    /// The broker or the authority rejected the request.
    case broker(BrokerRejection)
    case deviceNotRegistered
    /// Another process holds the right to refresh, for this number of seconds.
    case refreshHeldUp(by: TurnHolder?, seconds: Int)
    case receiver(RedirectReceiverFailure)
    /// No browser is available, and the program doesn't display the URL.
    case noBrowser(String)
    case proofKey(ProofKeyFailure)
    case externalAccounts(NSError)
}

extension AuthorityFailure.ResourceProblem {
    var kind: MSALFailureKind {
        switch self {
        case .unreachable(let failure): failure.meaning.kind
        case .status: .unavailable
        case .notResource, .noMetadata, .notFound, .needsNoToken, .redirected, .metadata, .challenge, .mismatch,
            .unsafeAddress, .noServer, .noRegistration, .registration, .otherIssuer, .otherAuthority,
            .managedElsewhere, .strangeAssertion, .strangePage, .strangeRecipient, .foreignAPI:
            .misconfigured
        }
    }
}
