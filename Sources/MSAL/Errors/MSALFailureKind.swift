import Foundation

/// The kind of a failure, which determines the remedy. The value of ``MSALFailureKindKey``. Not in MSAL for iOS and
/// macOS.
///
/// docs/details.md lists the responses of an authority by kind.
public enum MSALFailureKind: String, Sendable, CaseIterable {
    /// The user must sign in, consent or complete MFA.
    case signInRequired
    /// The authority or the network is busy or down. Try again later, after ``MSALRetryAfterKey`` seconds if set.
    case unavailable
    /// The client ID, the redirect URI, the authority's address or the registration is wrong.
    case misconfigured
    /// The server's response doesn't follow the protocol.
    case protocolViolation
    /// The authority rejected the request for another reason.
    case rejected = "refused"
    /// The user or the program cancelled the sign-in.
    case canceled
    /// The authority granted only some of the scopes. The tokens for them are stored.
    case declinedScopes
    /// The token store failed.
    case store
    /// Any other failure.
    case other
}

extension NSError {
    /// The kind of the error, or ``MSALFailureKind/other`` for errors of other libraries.
    public var failureKind: MSALFailureKind {
        (userInfo[MSALFailureKindKey] as? String).flatMap(MSALFailureKind.init) ?? .other
    }
}
