import Foundation
import OAuthCore

/// The error that every call of this library throws: an `NSError` in ``MSALErrorDomain``.
///
/// `localizedDescription` has the outcome and its cause, `localizedRecoverySuggestion` the next step. The keys of
/// `userInfo` are those of MSAL for iOS and macOS (`MSALErrorKeys.swift`).
///
/// A subclass of `NSError`, because on Linux `catch let error as NSError` catches nothing else. `@unchecked Sendable`
/// because Swift requires subclasses to restate it; the class adds no state.
public final class MSALAuthenticationError: NSError, @unchecked Sendable {
    package convenience init(_ failure: AuthenticationFailure, correlationID: UUID?, result: NSObject? = nil) {
        let description = FailureDescription(failure)
        // It may contain text from an authority, a browser or a caller.
        let explanation = description.explanation.withoutControls.withoutURLPasswords.beginning(2048)
        var userInfo: [String: Any] = description.keys.mapValues { ($0 as? String)?.beginning(1024) ?? $0 }
        userInfo[MSALFailureKindKey] = failure.kind.rawValue
        userInfo[NSLocalizedDescriptionKey] = explanation
        // `description` prints this key on Linux, and the key above on Apple's systems.
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
