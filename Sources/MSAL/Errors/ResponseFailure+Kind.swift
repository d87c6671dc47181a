import OAuthCore

/// The kind of each failed response, which decides its error code, exit status, texts and next step: also whether the user
/// must sign in after a rejected refresh.
extension ResponseFailure {
    package var kind: MSALFailureKind {
        if hasBusyStatus || rejection?.saysBusy == true || movedTo != nil { return .unavailable }
        return switch endpoint {
        case .instanceDiscovery, .discovery: .misconfigured
        case .keys: .protocolViolation
        case .refresh: kindOfRefresh
        case .authorization, .codeRedemption, .deviceAuthorization, .devicePolling, .userInfo, .registration,
            .revocation, .pushedAuthorization:
            switch body {
            case .rejected(let rejection): isDeclinedConsent ? .canceled : rejection.kind
            case .unexplained: kindOfUnexplained
            case .malformed: .protocolViolation
            }
        }
    }

    /// The kind of a failed refresh. Most mean that the user has to sign in, except errors that a sign-in would repeat
    /// (docs/upstream-behaviour.md §5.1).
    private var kindOfRefresh: MSALFailureKind {
        switch body {
        case .rejected(let rejection): rejection.isBeyondInteraction ? rejection.kind : .signInRequired
        case .unexplained, .malformed: isClientError ? .signInRequired : .protocolViolation
        }
    }

    /// The kind of a response without an OAuth error, although RFC 6749 §5.2 requires one. Some servers omit it for an
    /// unknown client or URL.
    private var kindOfUnexplained: MSALFailureKind {
        let rejectsClient = endpoint != .userInfo && (status == 401 || status == 403)
        return rejectsClient || isMissingEndpoint || (endpoint == .deviceAuthorization && isClientError)
            ? .misconfigured : .protocolViolation
    }

    private var isClientError: Bool { status.map((400..<500).contains) ?? false }
}

extension OAuthErrorResponse {
    fileprivate var saysBusy: Bool { ["temporarily_unavailable", "server_error"].contains(error.lowercased()) }

    /// Whether a sign-in would fail with the same error (docs/upstream-behaviour.md §5.1).
    fileprivate var isBeyondInteraction: Bool {
        switch error.lowercased() {
        case "invalid_scope", "invalid_client": true
        case "unauthorized_client": suberror == "protection_policy_required"
        default: false
        }
    }

    fileprivate var kind: MSALFailureKind {
        switch error.lowercased() {
        case "interaction_required", "login_required", "consent_required", "account_selection_required":
            .signInRequired
        case "invalid_client": .misconfigured
        case "unauthorized_client": suberror == "protection_policy_required" ? .rejected : .misconfigured
        default: usualCode.code == .userCanceled ? .canceled : .rejected
        }
    }
}
