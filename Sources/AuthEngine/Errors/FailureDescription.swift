import Foundation
import OAuthCore

/// A failure in words, codes and keys: the one place where facts become prose (docs/upstream-behaviour.md §6).
struct FailureDescription {
    var code: MSALError
    /// An ``MSALInternalError``, or one of the ``MSALError`` codes that upstream reports in its place (-50006, -50007).
    var internalCode: Int?
    /// What happened and why. It may hold text of a server as it came; ``MSALAuthenticationError`` takes out what
    /// controls a terminal.
    var explanation: String
    /// What to do about it.
    var nextStep: String
    var keys: [String: Any] = [:]
    var underlying: NSError?

    init(_ code: MSALError, _ explanation: String, next nextStep: String) {
        self.code = code
        self.explanation = explanation
        self.nextStep = nextStep
    }

    init(_ internalCode: MSALInternalError, _ explanation: String, next nextStep: String) {
        self.init(.internal, explanation, next: nextStep)
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
