import OAuthCore

extension AuthenticationFailure {
    package var kind: MSALFailureKind {
        switch self {
        case .caller(let failure): failure.kind
        case .user(let failure): failure.kind
        case .authority(let failure): failure.kind
        case .network(let failure, _): failure.meaning.kind
        case .store: .store
        case .machine(let failure): failure.kind
        case .unexpected: .other
        }
    }

    /// The authority's OAuth error, also when the failure repeats an earlier one.
    var rejection: OAuthErrorResponse? { response?.rejection }

    /// The response that failed, also when the failure repeats an earlier one.
    var response: ResponseFailure? {
        if case .authority(.throttled(let earlier)) = self { return earlier.response }
        guard case .authority(.response(let failure)) = self else { return nil }
        return failure
    }
}

extension CallerFailure {
    fileprivate var kind: MSALFailureKind {
        switch self {
        case .redirect, .brokerSchemesNotListed, .authorityNotKnown, .clientSecret: .misconfigured
        case .invalidParameter, .notACache, .clientIDMissing, .authority, .reservedScopes, .accountMissing,
            .accountNotFound, .accountOfAnotherAuthority, .severalAccounts, .sessionAlreadyRunning,
            .authorityKindMismatch:
            .other
        }
    }
}

extension UserFailure {
    fileprivate var kind: MSALFailureKind {
        switch self {
        case .interactionRequired: .signInRequired
        case .canceled, .canceledAfterSaving, .canceledWithoutResponse, .requestChanged, .signInUnanswered: .canceled
        case .pasted, .noWaitingSignIn, .deviceCodeExpired, .mismatchedAccount, .signOutUnconfirmed: .other
        }
    }
}

extension AuthorityFailure {
    fileprivate var kind: MSALFailureKind {
        switch self {
        case .response(let failure): failure.kind
        case .throttled(let cause), .refreshLost(let cause), .signedOutOnlyHere(let cause, _, _): cause.kind
        case .metadata(_, let problem): problem.kind
        case .declinedScopes: .declinedScopes
        case .protectionPolicyRequired: .rejected
        case .badCallback, .malformedResponse, .idTokenRejected, .idTokenMalformed, .clientInfoMissing:
            .protocolViolation
        case .resource(_, .unreachable(let failure)): failure.meaning.kind
        case .resource(_, .status): .unavailable
        case .deviceCodeNotOffered, .resource: .misconfigured
        case .logoutEndpointMissing: .other
        }
    }
}

extension MachineFailure {
    fileprivate var kind: MSALFailureKind {
        switch self {
        case .broker(let rejection): rejection.kind
        case .brokerFailed(let failure): failure.kind == .cancelled ? .canceled : .other
        case .brokerResponseMalformed: .protocolViolation
        case .deviceNotRegistered: .rejected
        case .receiver(let failure): failure.sibling == nil ? .other : .unavailable
        case .refreshHeldUp: .unavailable
        case .brokerNotAvailable, .noBrowser, .proofKey, .externalAccounts: .other
        }
    }
}

extension AuthorityFailure.MetadataProblem {
    fileprivate var kind: MSALFailureKind {
        switch self {
        case .notDiscovery, .noS256, .issuerMismatch, .unknownInstance: .misconfigured
        case .notKeys: .protocolViolation
        }
    }
}

extension BrokerRejection {
    fileprivate var kind: MSALFailureKind {
        switch status {
        case .interactionRequired, .accountUnusable: .signInRequired
        case .noNetwork, .networkTemporarilyUnavailable, .serverTemporarilyUnavailable: .unavailable
        case .userCanceled, .applicationCanceled: .canceled
        case .incorrectConfiguration, .authorityUntrusted: .misconfigured
        case .apiContractViolation: .rejected
        case .unexpected, .reserved, .insufficientBuffer, .userSwitch: .other
        }
    }
}
