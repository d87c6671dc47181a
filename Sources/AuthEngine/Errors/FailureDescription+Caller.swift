import OAuthCore

/// What the calling program, or its configuration, did wrong.
extension FailureDescription {
    static func redirect(_ rejection: RedirectURIRejection) -> FailureDescription {
        FailureDescription(
            MSALInternalError(rawValue: rejection.internalErrorCode) ?? .internalErrorUnexpected,
            rejection.explanation, next: rejection.nextStep)
    }

    static func unexpected(_ type: String) -> FailureDescription {
        FailureDescription(
            .internalErrorUnexpected, "An unexpected failure (\(type)).", next: "Report it with its correlation ID.")
    }
}
