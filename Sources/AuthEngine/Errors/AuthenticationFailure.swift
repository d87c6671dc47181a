import Foundation
import OAuthCore

/// Why a call of this library failed, as facts, by who has to act. ``MSALAuthenticationError`` turns it into words, codes
/// and keys.
package enum AuthenticationFailure: Error, Sendable, Equatable {
    case caller(CallerFailure)
    case user(UserFailure)
    case authority(AuthorityFailure)
    case network(TransportFailure, host: String)
    case store(CredentialStoreFailure)
    case machine(MachineFailure)
    /// Something that none of the above foresees; the type of the error, never its text.
    case unexpected(String)
}

/// The calling program, or its configuration, is wrong.
package enum CallerFailure: Sendable, Equatable {
    case invalidParameter(String)
    case clientIDMissing
    case redirect(RedirectURIRejection)
    /// Schemes of brokers that `Info.plist` does not list under `LSApplicationQueriesSchemes`.
    case brokerSchemesNotListed([String])
    case authority(String, AuthorityRejection)
    case reservedScopes([String])
    case accountMissing
    case accountNotFound(String)
    /// The account signed in at `environment`; the application signs in at the host of its own authority.
    case accountOfAnotherAuthority(environment: String, host: String)
    /// More accounts are signed in than a program with one account can have.
    case severalAccounts(Int)
    case sessionAlreadyRunning
    /// The authority of a request is of another kind than the application's.
    case authorityKindMismatch(URL)
    /// A B2C host that is neither one of Microsoft's nor among the known authorities.
    case authorityNotKnown(URL)
}

/// The user has to act, or has acted.
package enum UserFailure: Sendable, Equatable {
    case canceled
    case interactionRequired(InteractionReason)
    /// What was pasted is not the answer that a sign-in waits for at this redirect URI. The wait goes on.
    case pasted(PastedResponse.Reason, redirectURI: URL)
    /// Something was pasted, and no sign-in waits.
    case nobodyWaits
    /// Nobody entered the code in time.
    case deviceCodeExpired
    case mismatchedAccount(expected: String?, found: String?)
    /// The browser did not come back from the sign-out page in time. The tokens are gone.
    case signOutUnconfirmed(host: String)

    /// For how many seconds the browser is waited for then.
    package static let signOutPatience = 120.0

    package enum InteractionReason: Sendable, Equatable {
        case noAccount
        case signedOut
        case noRefreshToken
        /// The last sign-in did not grant these, and the refresh token is good for what it granted (RFC 6749 §6).
        case scopesNotGranted([String])
        /// The tokens are of another cloud than the endpoint they would be sent to.
        case anotherCloud(host: String)
    }
}

/// The authority refused, or said what cannot be used.
package indirect enum AuthorityFailure: Sendable, Equatable {
    case metadata(URL, MetadataProblem)
    /// The authority refused, or its response gives nothing.
    case response(ResponseFailure)
    /// Only an application that a protection policy covers gets a token for this account.
    case protectionPolicyRequired(OAuthErrorResponse, homeAccountID: String, username: String?)
    /// Answered with the failure of an earlier request, without asking the authority again.
    case throttled(AuthenticationFailure)
    case badCallback(AuthorizationResponse.Failure)
    /// The tokens of a response cannot be used. `status`: that of the response.
    case malformedResponse(TokenResponseFailure.Fact, status: Int)
    case idTokenRejected([Verdict])
    case idTokenMalformed(JWTMalformed)
    case clientInfoMissing
    /// The authority has no page that ends the browser's session.
    case endSessionEndpointMissing(host: String)
    /// Its discovery document names no device authorization endpoint.
    case deviceCodeNotOffered(URL)
    case declinedScopes(granted: [String], declined: [String])

    package enum MetadataProblem: Sendable, Equatable {
        case notDiscovery(String)
        case issuerMismatch(expected: String, found: String)
        case notKeys
        case unknownInstance
    }
}

/// Something on this machine failed.
package enum MachineFailure: Sendable, Equatable {
    case brokerNotAvailable
    /// The broker was asked, and gave no answer.
    case brokerFailed(BrokerFailure)
    case brokerAnswerMalformed(TokenResponseFailure.Fact)
    /// The broker refused, for itself or because the authority did.
    case broker(BrokerRefusal)
    case deviceNotRegistered
    case receiver(RedirectReceiverFailure)
    /// There is no browser, and the program shows the address nowhere.
    case noBrowser(String)
    case proofKey(ProofKeyFailure)
    /// What an external account provider threw.
    case externalAccounts(NSError)
}
