import Foundation
import OAuthCore

/// The texts, codes and keys for a failure. All error texts are written here (docs/upstream-behaviour.md §6).
struct FailureDescription {
    var code: MSALError
    /// An ``MSALInternalError``, or one of the ``MSALError`` codes reported in its place (-50006, -50007).
    var internalCode: Int?
    /// The outcome and its cause. May contain text from a server; ``MSALAuthenticationError`` removes control
    /// characters.
    var explanation: String
    /// The next step for the reader.
    var nextStep: String
    var keys: [String: Any] = [:]
    var underlying: NSError?

    init(_ code: MSALError, _ explanation: String, next nextStep: String) {
        self.code = code
        self.explanation = explanation
        self.nextStep = nextStep
    }

    init(
        _ internalCode: MSALInternalError, _ explanation: String, headline: String? = nil, next nextStep: String
    ) {
        self.init(.internal, explanation, next: nextStep)
        if let headline { keys[MSALHeadlineKey] = headline }
        self.internalCode = internalCode.rawValue
    }

    init(_ failure: AuthenticationFailure) {
        self = Self.described(failure)
        if case .authority(.throttled) = failure { keys[MSALThrottlingCacheHitKey] = 1 }
    }

    private static func described(_ failure: AuthenticationFailure) -> FailureDescription {
        switch failure {
        case .caller(let failure): described(failure)
        case .user(let failure): described(failure)
        case .authority(let failure): described(failure)
        case .network(let failure, let host): .network(failure, host: host)
        case .store(let failure): .store(failure)
        case .machine(let failure): described(failure)
        case .unexpected(let type): .unexpected(type)
        }
    }
}
