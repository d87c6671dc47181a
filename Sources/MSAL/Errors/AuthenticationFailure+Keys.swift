import Foundation
import OAuthCore

/// What the error of some failures has besides the texts and codes of ``Failure`` (docs/upstream-behaviour.md §6).
extension AuthenticationFailure {
    var keys: [String: Any] {
        switch self {
        case .authority(let failure): failure.keys
        case .network(let failure, _): [NSUnderlyingErrorKey: failure.urlError]
        case .store(let failure): [NSUnderlyingErrorKey: failure.keychainError]
        case .machine(.broker(let rejection)): rejection.keys
        case .machine(.externalAccounts(let error)): [NSUnderlyingErrorKey: error]
        case .user(.interactionRequired(.notAgreed(let agreement, _))):
            [MSALTokenAgreementKey: agreement, MSALDestinationKey: agreement.url]
        case .caller, .user, .machine, .unexpected: [:]
        }
    }
}

extension AuthorityFailure {
    fileprivate var keys: [String: Any] {
        switch self {
        case .response(let failure): return failure.keys
        case .protectionPolicyRequired(let response, let homeAccountID, let username):
            var keys = response.keys
            keys[MSALHomeAccountIdKey] = homeAccountID
            keys[MSALDisplayableUserIdKey] = username
            return keys
        case .throttled(let earlier): return earlier.keys.merging([MSALThrottlingCacheHitKey: 1]) { _, new in new }
        case .refreshLost(let cause), .signedOutOnlyHere(let cause, _, _): return cause.keys
        case .malformedResponse(_, let status): return [MSALHTTPResponseCodeKey: String(status)]
        // Instance discovery rejects an authority with other statuses.
        case .metadata(_, .unknownInstance): return [:]
        // Only documents and token responses with this status are checked.
        case .metadata, .clientInfoMissing: return [MSALHTTPResponseCodeKey: "200"]
        case .declinedScopes(let granted, let declined):
            return [MSALGrantedScopesKey: granted, MSALDeclinedScopesKey: declined]
        case .idTokenRejected(let verdicts): return [MSALFailedChecksKey: verdicts.map(\.rule.rawValue)]
        case .resource(_, .unreachable(let failure)): return [NSUnderlyingErrorKey: failure.urlError]
        case .resource(let url, .foreignAPI): return [MSALDestinationKey: url]
        case .badCallback, .idTokenMalformed, .logoutEndpointMissing, .deviceCodeNotOffered, .resource: return [:]
        }
    }
}

extension BrokerRejection {
    fileprivate var keys: [String: Any] {
        var keys: [String: Any] = [:]
        keys[MSALOAuthSubErrorDescriptionKey] = message
        keys[MSALBrokerVersionKey] = brokerVersion
        keys[NSUnderlyingErrorKey] = status.urlError
        return keys
    }
}

extension BrokerRejection.Status {
    fileprivate var urlError: NSError? {
        switch self {
        case .noNetwork: NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        case .networkTemporarilyUnavailable: NSError(domain: NSURLErrorDomain, code: NSURLErrorNetworkConnectionLost)
        case .unexpected, .reserved, .insufficientBuffer, .interactionRequired, .accountUnusable,
            .serverTemporarilyUnavailable, .userCanceled, .applicationCanceled, .incorrectConfiguration,
            .authorityUntrusted, .apiContractViolation, .userSwitch:
            nil
        }
    }
}
