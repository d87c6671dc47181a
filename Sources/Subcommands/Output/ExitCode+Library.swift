import Foundation
import MSAL

/// Which exit code a failure of the library becomes.
extension ExitCode {
    package init(_ error: NSError) {
        let inner = (error.userInfo[MSALInternalErrorCodeKey] as? Int).flatMap(MSALInternalError.init)
        let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError
        self = Self.choose(domain: error.domain, code: error.code, inner: inner, underlying: underlying?.domain)
    }

    static func choose(domain: String, code: Int, inner: MSALInternalError?, underlying: String?) -> ExitCode {
        switch (domain, MSALError(rawValue: code)) {
        case (NSURLErrorDomain, _): .network
        case (storeDomain, _): .store
        case (MSALErrorDomain, .interactionRequired): .interactionRequired
        case (MSALErrorDomain, .userCanceled): .cancelled
        case (MSALErrorDomain, .serverDeclinedScopes): .declinedScopes
        case (MSALErrorDomain, .internal): choose(inner: inner, underlying: underlying)
        default: .failed
        }
    }

    private static func choose(inner: MSALInternalError?, underlying: String?) -> ExitCode {
        switch (inner, underlying) {
        case (_, NSURLErrorDomain): .network
        case (_, storeDomain): .store
        case (.internalErrorRedirectSchemeNotRegistered, _), (.internalErrorInvalidRedirectURI, _),
            (.internalErrorInvalidClient, _), (.internalErrorFailedAuthorityValidation, _):
            .configuration
        default: .failed
        }
    }

    /// The domain in which a token store's failures stand, as they do where the keychain is the store.
    private static let storeDomain = "NSOSStatusErrorDomain"
}
