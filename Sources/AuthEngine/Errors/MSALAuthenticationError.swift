import Foundation
import OAuthCore

/// What every call of this library throws: an `NSError` in ``MSALErrorDomain``.
///
/// `localizedDescription` says what went wrong and why, `localizedRecoverySuggestion` what to do next. The keys of
/// `userInfo` are those of MSAL for iOS and macOS (`MSALErrorKeys.swift`). On Linux `catch let error as NSError`
/// catches
/// subclasses of `NSError` only, which is why this is one.
///
/// Unchecked, because `NSError` itself is and Swift asks subclasses to say so again; nothing is added that could
/// change.
public final class MSALAuthenticationError: NSError, @unchecked Sendable {
    package convenience init(_ failure: AuthenticationFailure, correlationID: UUID?, result: NSObject? = nil) {
        let description = FailureDescription(failure)
        // Names and addresses of an authority, a browser or a caller may stand in them.
        let explanation = description.explanation.withoutControls.beginning(2048)
        var userInfo: [String: Any] = description.keys.mapValues { ($0 as? String)?.beginning(1024) ?? $0 }
        userInfo[MSALFailureKindKey] = failure.kind.rawValue
        userInfo[NSLocalizedDescriptionKey] = explanation
        // Foundation on Linux prints this in the description of an error, where Apple's prints the one above.
        userInfo[NSLocalizedFailureReasonErrorKey] = explanation
        userInfo[NSLocalizedRecoverySuggestionErrorKey] = description.nextStep.withoutControls
        userInfo[MSALErrorDescriptionKey] = explanation
        userInfo[MSALInternalErrorCodeKey] = description.internalCode
        userInfo[MSALCorrelationIDKey] = correlationID?.uuidString
        userInfo[MSALInvalidResultKey] = result
        userInfo[NSUnderlyingErrorKey] = description.underlying
        self.init(domain: MSALErrorDomain, code: description.code.rawValue, userInfo: userInfo)
    }
}
