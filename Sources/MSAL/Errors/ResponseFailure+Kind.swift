import OAuthCore

/// The kind of each failed response, which decides its error code, exit status, texts and next step: also whether the user
/// must sign in after a rejected refresh.
extension ResponseFailure {
    package var kind: MSALFailureKind {
        if hasBusyStatus || rejection?.saysBusy == true || movedTo != nil || isFromBetween { return .unavailable }
        return switch endpoint {
        case .instanceDiscovery, .discovery: .misconfigured
        case .keys: .protocolViolation
        // Most errors mean that the user has to sign in, except those that a sign-in would repeat
        // (docs/upstream-behaviour.md §5.1).
        case .refresh: rejection.map { $0.isBeyondInteraction ? $0.kind : .signInRequired } ?? .protocolViolation
        // The ID token is too old, or its session has ended.
        case .identityAssertion where !followsSignIn && rejection?.standardError == "invalid_grant": .signInRequired
        case .authorization, .codeRedemption, .deviceAuthorization, .devicePolling, .userInfo, .registration,
            .revocation, .pushedAuthorization, .identityAssertion, .assertion:
            switch body {
            case .rejected(let rejection):
                isDeclinedConsent
                    ? .canceled
                    : isRejectedBeforeUser || followsSignIn && rejection.kind == .signInRequired
                        ? .rejected : rejection.kind
            case .unexplained: isMissingEndpoint ? .misconfigured : .protocolViolation
            case .malformed: .protocolViolation
            }
        }
    }

    /// Whether the response isn't the verdict of an endpoint that issues, registers or revokes: those reject with an OAuth error
    /// (RFC 6749 §5.2, RFC 7009 §2.2.1, RFC 7591 §3.2.2). A proxy, filter or ingress responds with a page of its own.
    var isFromBetween: Bool {
        guard rejection == nil, isClientError || isPageInstead, !hasBusyStatus else { return false }
        return switch endpoint {
        case .codeRedemption, .refresh, .deviceAuthorization, .devicePolling, .registration, .revocation,
            .pushedAuthorization, .identityAssertion, .assertion:
            true
        case .instanceDiscovery, .discovery, .keys, .authorization, .userInfo: false
        }
    }

    private var isClientError: Bool { status.map((400..<500).contains) ?? false }

    /// A login page of a network, or one of maintenance, comes with any status.
    private var isPageInstead: Bool { pageTitle != nil && status.map((200..<400).contains) ?? false }
}

extension OAuthErrorResponse {
    fileprivate var saysBusy: Bool { ["temporarily_unavailable", "server_error"].contains(standardError) }

    /// Whether a sign-in would fail with the same error (docs/upstream-behaviour.md §5.1).
    fileprivate var isBeyondInteraction: Bool {
        switch standardError {
        case "invalid_scope", "invalid_client": true
        case "unauthorized_client": suberror == "protection_policy_required"
        default: false
        }
    }

    fileprivate var kind: MSALFailureKind {
        switch standardError {
        case "interaction_required", "login_required", "consent_required", "account_selection_required":
            .signInRequired
        case "invalid_client": .misconfigured
        case "unauthorized_client": suberror == "protection_policy_required" ? .rejected : .misconfigured
        default: usualCode.code == .userCanceled ? .canceled : .rejected
        }
    }
}
