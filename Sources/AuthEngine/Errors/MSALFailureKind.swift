import Foundation

/// The kind of a failure, and so what helps against it: the value of ``MSALFailureKindKey``. An addition of this library.
///
/// docs/automation.md lists which response of an authority is of which kind.
public enum MSALFailureKind: String, Sendable, CaseIterable {
    /// The user must sign in, consent or prove more.
    case signInRequired
    /// The authority is busy or down, or the network is: try later. ``MSALRetryAfterKey`` says when, if the server did.
    case unavailable
    /// The client ID, the redirect URI, the authority's address or the registration is wrong.
    case misconfigured
    /// The server's response does not follow the protocol.
    case protocolViolation
    /// The authority refused for another reason.
    case refused
    /// The user, or the program, ended the sign-in.
    case canceled
    /// The authority granted only some of the scopes. The tokens for them were stored.
    case declinedScopes
    /// The token store failed.
    case store
    /// Any other failure.
    case other
}

extension NSError {
    /// The kind of an error that this library threw; ``MSALFailureKind/other`` of any other error.
    public var failureKind: MSALFailureKind {
        (userInfo[MSALFailureKindKey] as? String).flatMap(MSALFailureKind.init) ?? .other
    }
}
