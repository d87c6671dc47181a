import Foundation
import OAuthCore

/// Why a call of this library failed, as facts. ``MSALAuthenticationError`` turns it into words, codes and keys.
package enum AuthenticationFailure: Error, Sendable, Equatable {
    // The caller's side.
    case invalidParameter(String)
    case clientIDMissing
    case redirect(RedirectURIRejection)
    /// Schemes of brokers that `Info.plist` does not list under `LSApplicationQueriesSchemes`.
    case brokerSchemesNotListed([String])
    case authority(String, AuthorityRejection)
    case reservedScopes([String])
    case accountMissing
    case accountNotFound(String)
    case sessionAlreadyRunning
    /// The authority of a request is of another kind than the application's.
    case authorityKindMismatch(URL)

    // The person.
    case canceled
    case interactionRequired(InteractionReason)
    case mismatchedAccount(expected: String?, found: String?)

    // The network and the authority.
    case network(TransportFailure, host: String)
    case metadata(URL, MetadataProblem)
    case refused(OAuthErrorResponse)
    case badCallback(AuthorizationResponse.Failure)
    case unexpectedStatus(Int, HTTPHeaders, host: String)
    case malformedResponse(TokenResponseFailure.Fact)
    case idTokenRejected([Verdict])
    case idTokenMalformed(JWTMalformed)
    case clientInfoMissing
    /// A B2C host that is neither one of Microsoft's nor among the known authorities.
    case authorityNotKnown(URL)
    case declinedScopes(granted: [String], declined: [String])

    // This machine.
    case brokerNotAvailable
    case deviceNotRegistered
    case receiver(RedirectReceiverFailure)
    case store(CredentialStoreFailure)
    case proofKey(ProofKeyFailure)
    /// Something that none of the above foresees; the type of the error, never its text.
    case unexpected(String)

    package enum InteractionReason: Sendable, Equatable {
        case noAccount
        case signedOut
        case noRefreshToken
        case refused(OAuthErrorResponse)
    }

    package enum MetadataProblem: Sendable, Equatable {
        case status(Int)
        case notDiscovery(String)
        case issuerMismatch(expected: String, found: String)
        case notKeys
        case unknownInstance
        case endpointMissing(String)
    }
}
