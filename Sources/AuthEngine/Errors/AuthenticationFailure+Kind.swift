import OAuthCore

extension AuthenticationFailure {
    package var kind: MSALFailureKind {
        switch self {
        case .response(let failure): failure.kind
        case .throttled(let earlier): earlier.kind
        case .network(let failure, _): failure.kind.failureKind
        case .metadata(_, let problem): problem.kind
        case .interactionRequired: .signInRequired
        case .canceled: .canceled
        case .declinedScopes: .declinedScopes
        case .store: .store
        case .redirect, .brokerSchemesNotListed, .authorityNotKnown, .deviceCodeNotOffered: .misconfigured
        case .badCallback, .malformedResponse, .idTokenRejected, .idTokenMalformed, .clientInfoMissing,
            .brokerAnswerMalformed:
            .protocolViolation
        case .protectionPolicyRequired, .deviceNotRegistered: .refused
        case .broker(let refusal): refusal.kind
        case .brokerFailed(let failure): failure.kind == .cancelled ? .canceled : .other
        case .invalidParameter, .clientIDMissing, .authority, .reservedScopes, .accountMissing, .accountNotFound,
            .severalAccounts, .sessionAlreadyRunning, .authorityKindMismatch, .pasted, .nobodyWaits,
            .deviceCodeExpired, .mismatchedAccount, .endSessionEndpointMissing, .signOutUnconfirmed,
            .brokerNotAvailable, .noBrowser, .receiver, .proofKey, .externalAccounts,
            .unexpected:
            .other
        }
    }

    /// What the authority said when it refused, now or a moment ago.
    var refusal: OAuthErrorResponse? { response?.refusal }

    /// The response that failed, now or a moment ago.
    var response: ResponseFailure? {
        if case .throttled(let earlier) = self { return earlier.response }
        guard case .response(let failure) = self else { return nil }
        return failure
    }
}

extension TransportFailure.Kind {
    fileprivate var failureKind: MSALFailureKind {
        switch self {
        case .bodyTooLarge: .protocolViolation
        // Waiting does not help: the files or the authority have to change.
        case .foreignPort, .unsafeAuthorities, .plainHTTP: .misconfigured
        case .couldNotResolveHost, .couldNotConnect, .timedOut, .connectionLost, .untrustedCertificate, .cancelled,
            .other:
            .unavailable
        }
    }
}

extension AuthenticationFailure.MetadataProblem {
    fileprivate var kind: MSALFailureKind {
        switch self {
        case .notDiscovery, .issuerMismatch, .unknownInstance: .misconfigured
        case .notKeys: .protocolViolation
        }
    }
}

extension BrokerRefusal {
    fileprivate var kind: MSALFailureKind {
        switch status {
        case .interactionRequired, .accountUnusable: .signInRequired
        case .noNetwork, .networkTemporarilyUnavailable, .serverTemporarilyUnavailable: .unavailable
        case .userCanceled, .applicationCanceled: .canceled
        case .incorrectConfiguration, .authorityUntrusted: .misconfigured
        case .apiContractViolation: .refused
        case .unexpected, .reserved, .insufficientBuffer, .userSwitch: .other
        }
    }
}
