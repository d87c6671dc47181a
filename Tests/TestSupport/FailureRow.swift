import Foundation
import KeyturnSystem
import MSAL
import OAuthCore

/// One row of docs/upstream-behaviour.md §6: a failure and what its caller gets.
package struct FailureRow: Sendable, CustomStringConvertible {
    package struct Cause: Sendable, Equatable {
        package var domain: String
        package var code: Int

        package init(_ domain: String, _ code: Int) {
            self.domain = domain
            self.code = code
        }
    }

    package var failure: AuthenticationFailure
    package var code: MSALError
    package var internalCode: Int?
    /// The keys of `userInfo` besides those of every error.
    package var keys: [String: any Sendable]
    package var cause: Cause?
    package var description: String { "\(failure) → \(code.rawValue)/\(internalCode ?? 0)" }

    init(
        _ failure: AuthenticationFailure, _ code: MSALError, _ keys: [String: any Sendable] = [:], cause: Cause? = nil
    ) {
        self.failure = failure
        self.code = code
        self.keys = keys
        self.cause = cause
    }

    init(
        _ failure: AuthenticationFailure, _ internalCode: MSALInternalError, _ keys: [String: any Sendable] = [:],
        cause: Cause? = nil
    ) {
        self.init(failure, MSALError.internal, keys, cause: cause)
        self.internalCode = internalCode.rawValue
    }

    /// An authorization error from the browser (`status` is `nil`) or from the token endpoint.
    private static func rejected(
        _ error: String, suberror: String? = nil, codes: [Int] = [], status: Int? = 400, _ code: MSALError,
        internal internalCode: Int? = nil
    ) -> FailureRow {
        let response = OAuthErrorResponse(
            error, description: "because", suberror: suberror, codes: codes, status: status)
        let failure =
            status.map { status in
                ResponseFailure(
                    .codeRedemption, HTTPResponse(status: status), to: HTTPRequest(.post, url), .rejected(response),
                    at: Date(timeIntervalSince1970: 0))
            } ?? ResponseFailure(authorization: response, at: url, in: Parameters(), hiding: [])
        var row = FailureRow(
            .authority(.response(failure)), code,
            [MSALOAuthErrorKey: error, MSALOAuthSubErrorDescriptionKey: "because"])
        row.internalCode = internalCode
        row.keys[MSALOAuthSubErrorKey] = suberror
        row.keys[MSALHTTPResponseCodeKey] = status.map { "\($0)" }
        if !codes.isEmpty { row.keys[MSALSTSErrorCodesKey] = codes }
        return row
    }

    private static func rejected(_ error: String, status: Int? = 400, _ internalCode: MSALInternalError) -> FailureRow {
        rejected(error, status: status, .internal, internal: internalCode.rawValue)
    }

    /// §6.1: the MSAL error for each `error` value of an authority.
    package static let oAuth: [FailureRow] = [
        .rejected("invalid_request", codes: [50142], .serverInvalidRequestResetPasswordRequired),
        .rejected("invalid_request", .internalErrorInvalidRequest),
        .rejected("invalid_client", status: 401, .internalErrorInvalidClient),
        .rejected("invalid_grant", suberror: "transfer_token_expired", status: nil, .userCanceled),
        .rejected(
            "invalid_grant", suberror: "insufficient_device_strength", status: nil, .internal,
            internal: MSALError.insufficientDeviceStrength.rawValue),
        .rejected("invalid_grant", .internalErrorInvalidGrant),
        .rejected("invalid_grant", status: 200, .internalErrorInvalidGrant),
        .rejected("invalid_scope", .internalErrorInvalidScope),
        .rejected("unauthorized_client", suberror: "protection_policy_required", .serverProtectionPoliciesRequired),
        .rejected("unauthorized_client", .internalErrorUnauthorizedClient),
        .rejected("interaction_required", .interactionRequired),
        .rejected("login_required", status: nil, .interactionRequired),
        .rejected("consent_required", status: nil, .userCanceled),
        .rejected("account_selection_required", status: nil, .interactionRequired),
        .rejected("access_denied", status: nil, .userCanceled),
        .rejected("access_denied", suberror: "tts_denied", status: nil, .userCanceled),
        .rejected("access_denied", suberror: "user_skipped", status: nil, .userCanceled),
        .rejected("access_denied", suberror: "none", status: nil, .userCanceled),
        .rejected("ACCESS_DENIED", status: nil, .userCanceled),
        .rejected("authorization_declined", .userCanceled),
        .rejected("tokenTransferFailedOTC", status: nil, .userCanceled),
        .rejected("server_error", .internal, internal: MSALError.serverError.rawValue),
        .rejected("anything_else", .internalErrorAuthorizationFailed),
        .rejected("anything_else", status: nil, .internalErrorAuthorizationFailed),
    ]
}

/// §6.2: every other failure that can occur here.
extension FailureRow {
    fileprivate static let url = AuthorityRules.common.url
    private static let rejection = response(
        .refresh, 400, .rejected(OAuthErrorResponse("invalid_grant", status: 400)))
    private static let rejectionKeys: [String: any Sendable] = [
        MSALOAuthErrorKey: "invalid_grant", MSALHTTPResponseCodeKey: "400",
    ]

    private static func response(
        _ endpoint: ResponseFailure.Endpoint, _ status: Int, _ body: TokenResponseFailure = .unexplained,
        _ headers: HTTPHeaders = [:]
    ) -> AuthenticationFailure {
        .authority(
            .response(
                ResponseFailure(
                    endpoint, HTTPResponse(status: status, headers: headers), to: HTTPRequest(.post, url), body,
                    at: Date(timeIntervalSince1970: 0))))
    }

    private static let caller: [FailureRow] = [
        FailureRow(.caller(.invalidParameter("It is wrong.")), .internalErrorInvalidParameter),
        FailureRow(.caller(.clientIDMissing), .internalErrorInvalidParameter),
        FailureRow(.caller(.reservedScopes(["openid"])), .internalErrorInvalidParameter),
        FailureRow(.caller(.authority("x", .blank)), .internalErrorInvalidParameter),
        FailureRow(.caller(.authority("x", .adfsUnsupported)), .internalErrorUnexpected),
        FailureRow(.caller(.authorityKindMismatch(url)), .internalErrorInvalidParameter),
        FailureRow(.caller(.brokerSchemesNotListed(["a"])), .internalErrorRedirectSchemeNotRegistered),
        FailureRow(.caller(.accountMissing), .internalErrorAccountRequired),
        FailureRow(.caller(.accountNotFound("a")), .internalErrorAccountRequired),
        FailureRow(
            .caller(.accountOfAnotherAuthority(environment: "a.example", host: "b.example")),
            .internalErrorInvalidParameter),
        redirect(.schemeMissing, .internalErrorRedirectSchemeNotRegistered),
        redirect(.hasFragment, .internalErrorUnexpected), redirect(.blank, .internalErrorInvalidRedirectURI),
        redirect(.httpScheme, .internalErrorInvalidRedirectURI),
        FailureRow(.caller(.severalAccounts(2)), .internalErrorAmbiguousAccount),
        FailureRow(
            .caller(
                .sessionAlreadyRunning(
                    RunningSession(
                        purpose: "sign-in", place: .browser, clientID: "a", host: "h",
                        start: Date(timeIntervalSince1970: 0), limit: 900), now: Date(timeIntervalSince1970: 60))),
            .internalErrorInteractiveSessionAlreadyRunning),
    ]

    private static func redirect(_ reason: RedirectURIRejection.Reason, _ code: MSALInternalError) -> FailureRow {
        let rejection = RedirectURIRejection(reason: reason, uri: "x://y", scheme: "x", bundleIdentifier: "a.b")
        return FailureRow(.caller(.redirect(rejection)), code)
    }

    private static let byUser: [FailureRow] = [
        FailureRow(.user(.canceled), .userCanceled),
        FailureRow(.user(.canceledAfterSaving), .userCanceled),
        FailureRow(.user(.canceledWithoutResponse), .userCanceled),
        FailureRow(.user(.requestChanged), .userCanceled),
        FailureRow(.user(.mismatchedAccount(expected: "a", found: "b")), .internalErrorMismatchedUser),
        FailureRow(.user(.interactionRequired(.noAccount)), .interactionRequired),
        FailureRow(.user(.interactionRequired(.signedOut)), .interactionRequired),
        FailureRow(.user(.interactionRequired(.noRefreshToken)), .interactionRequired),
        FailureRow(.user(.interactionRequired(.noAccessToken)), .interactionRequired),
        FailureRow(.user(.interactionRequired(.noIDToken)), .interactionRequired),
        FailureRow(.user(.interactionRequired(.scopesNotGranted(["phone"]))), .interactionRequired),
        FailureRow(.user(.interactionRequired(.stepUp)), .interactionRequired),
        FailureRow(.user(.interactionRequired(.anotherCloud(host: "h"))), .interactionRequired),
        FailureRow(
            rejection, .interactionRequired, rejectionKeys,
            cause: Cause(MSALErrorDomain, MSALError.internal.rawValue)),
        FailureRow(
            .authority(.throttled(rejection)), .interactionRequired,
            rejectionKeys.merging([MSALThrottlingCacheHitKey: 1]) { $1 },
            cause: Cause(MSALErrorDomain, MSALError.internal.rawValue)),
        FailureRow(
            .authority(.declinedScopes(granted: ["a"], declined: ["b"])), .serverDeclinedScopes,
            [MSALGrantedScopesKey: ["a"], MSALDeclinedScopesKey: ["b"]]),
        FailureRow(
            .authority(
                .protectionPolicyRequired(
                    OAuthErrorResponse("unauthorized_client", suberror: "protection_policy_required", status: 400),
                    homeAccountID: "1.2", username: "ann")),
            .serverProtectionPoliciesRequired,
            [
                MSALOAuthErrorKey: "unauthorized_client", MSALOAuthSubErrorKey: "protection_policy_required",
                MSALHTTPResponseCodeKey: "400", MSALHomeAccountIdKey: "1.2", MSALDisplayableUserIdKey: "ann",
            ]),
        FailureRow(
            .user(.deviceCodeExpired), .internalErrorAuthorizationFailed, [MSALOAuthErrorKey: "expired_token"]),
    ]

    private static let pasted: [FailureRow] = [
        FailureRow(.user(.pasted(.nothing, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.token, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.tooLong(limit: 1), redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.authorizationRequest, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.anotherAddress, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.withoutResponse, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.text, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.withoutState(error: nil), redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(
            .user(.pasted(.withoutState(error: "access_denied"), redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.pasted(.otherSignIn, redirectURI: url)), .internalErrorInvalidParameter),
        FailureRow(.user(.noWaitingSignIn), .internalErrorInvalidParameter),
    ]

    private static let callbacks: [FailureRow] = [
        FailureRow(.authority(.badCallback(.stateMissing)), .internalErrorInvalidState),
        FailureRow(.authority(.badCallback(.stateMismatch)), .internalErrorInvalidState),
        FailureRow(.authority(.badCallback(.codeMissing)), .internalErrorInvalidResponse),
        FailureRow(.authority(.badCallback(.issuerMissing)), .internalErrorInvalidResponse),
        FailureRow(.authority(.badCallback(.issuerMismatch(expected: "a", found: "b"))), .internalErrorInvalidResponse),
        FailureRow(.authority(.badCallback(.repeatedParameter("code"))), .internalErrorInvalidResponse),
        FailureRow(.authority(.badCallback(.tooLong(limit: 1))), .internalErrorInvalidResponse),
    ]

    private static let answers: [FailureRow] = [
        FailureRow(
            response(.codeRedemption, 503, .unexplained, ["Retry-After": "3"]), .internalErrorUnhandledResponse,
            [
                MSALHTTPResponseCodeKey: "503", MSALHTTPHeadersKey: ["Retry-After": "3"], MSALRetryAfterKey: 3.0,
            ]),
        FailureRow(
            response(.codeRedemption, 429), .internalErrorUnhandledResponse,
            [MSALHTTPResponseCodeKey: "429", MSALHTTPHeadersKey: [String: String]()]),
        FailureRow(
            response(.codeRedemption, 403), .internalErrorUnhandledResponse,
            [MSALHTTPResponseCodeKey: "403", MSALHTTPHeadersKey: [String: String]()],
            cause: Cause(MSALErrorDomain, MSALError.internal.rawValue)),
        FailureRow(
            response(.codeRedemption, 404), .internalErrorUnhandledResponse,
            [MSALHTTPResponseCodeKey: "404", MSALHTTPHeadersKey: [String: String]()],
            cause: Cause(MSALErrorDomain, MSALError.internal.rawValue)),
        FailureRow(
            response(.codeRedemption, 200, .malformed(.noTokens)), .internalErrorUnexpected,
            [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(
            response(.codeRedemption, 200, .malformed(.notJSONObject)), .internalErrorInvalidResponse,
            [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(
            .authority(.malformedResponse(.otherTokenType(expected: "Pop", found: nil))),
            .internalErrorInvalidResponse,
            [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(.authority(.clientInfoMissing), .internalErrorUnexpected, [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(
            .authority(.idTokenRejected([Verdict(.nonce, .failed, "It is another.")])), .internalErrorInvalidResponse,
            [MSALFailedChecksKey: ["Nonce"]]),
        FailureRow(.authority(.idTokenMalformed(.partCount(2))), .internalErrorInvalidResponse),
    ]

    private static let authorities: [FailureRow] = [
        FailureRow(
            response(.discovery, 404), .internalErrorFailedAuthorityValidation, [MSALHTTPResponseCodeKey: "404"]),
        FailureRow(
            .authority(.metadata(url, .notDiscovery(.webPage))), .internalErrorFailedAuthorityValidation,
            [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(
            .authority(.metadata(url, .issuerMismatch(expected: "a", found: "b"))),
            .internalErrorFailedAuthorityValidation,
            [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(
            .authority(.metadata(url, .notKeys(.notJSON))), .internalErrorFailedAuthorityValidation,
            [MSALHTTPResponseCodeKey: "200"]),
        FailureRow(.authority(.metadata(url, .unknownInstance)), .internalErrorFailedAuthorityValidation),
        FailureRow(.caller(.authorityNotKnown(url)), .internalErrorUnexpected),
        FailureRow(.authority(.logoutEndpointMissing(url)), .internalErrorUnexpected),
        FailureRow(.user(.signOutUnconfirmed(host: "h")), .internalErrorUnexpected),
        FailureRow(.user(.signInUnanswered(host: "h", seconds: 900)), .userCanceled),
        FailureRow(.authority(.deviceCodeNotOffered(url)), .internalErrorInvalidRequest),
    ]

    private static let resources: [FailureRow] =
        [
            (AuthorityFailure.ResourceProblem.notResource, MSALInternalError.internalErrorUnexpected),
            (.noMetadata, .internalErrorUnexpected), (.notFound, .internalErrorUnexpected),
            (.needsNoToken, .internalErrorUnexpected),
            (.redirected("/"), .internalErrorUnexpected),
            (.metadata("why"), .internalErrorFailedAuthorityValidation),
            (.challenge("Why."), .internalErrorFailedAuthorityValidation),
            (.mismatch("b"), .internalErrorFailedAuthorityValidation),
            (.unsafeAddress("c"), .internalErrorFailedAuthorityValidation),
            (.strangePage(page: "c", recipient: "d"), .internalErrorFailedAuthorityValidation),
            (.strangeRecipient("d", of: "i"), .internalErrorFailedAuthorityValidation),
            (.otherAuthority("d", configured: "i"), .internalErrorFailedAuthorityValidation),
            (.managedElsewhere("d", configured: "i"), .internalErrorFailedAuthorityValidation),
            (.strangeAssertion("d", issuer: "i"), .internalErrorFailedAuthorityValidation),
            (.status(500), .internalErrorUnexpected),
            (.noServer, .internalErrorUnexpected), (.noRegistration(issuer: "i"), .internalErrorUnexpected),
            (.noRegistration(issuer: "i", readsDocuments: true), .internalErrorUnexpected),
            (.noRegistration(issuer: "i", hasClient: true), .internalErrorUnexpected),
            (.otherIssuer(expected: "d", found: "i", isOwn: true), .internalErrorFailedAuthorityValidation),
            (.registration("why"), .internalErrorUnexpected),
        ].map { problem, code in FailureRow(.authority(.resource(url, problem)), code) }
        + [true, false].map { isAsked in
            FailureRow(
                .authority(.resource(url, .foreignAPI("Microsoft Graph", scopes: ["Mail.Read"], isAsked: isAsked))),
                .internalErrorFailedAuthorityValidation, [MSALDestinationKey: url])
        }
        + [
            FailureRow(
                .authority(.signedOutOnlyHere(.user(.signOutUnconfirmed(host: "h")), host: "h", page: nil)),
                .internalErrorUnexpected)
        ]

    private static let network: [FailureRow] =
        [
            (TransportFailure.Kind.couldNotResolveHost, NSURLErrorCannotFindHost),
            (.offline, NSURLErrorNotConnectedToInternet),
            (.couldNotConnect, NSURLErrorCannotConnectToHost),
            (.proxy(variable: "https_proxy"), NSURLErrorCannotConnectToHost),
            (.timedOut, NSURLErrorTimedOut),
            (.connectionLost, NSURLErrorNetworkConnectionLost),
            (.untrustedCertificate, NSURLErrorServerCertificateUntrusted),
            (.unsafeAuthorities, NSURLErrorServerCertificateUntrusted), (.foreignPort, NSURLErrorCannotConnectToHost),
            (.plainHTTP, NSURLErrorSecureConnectionFailed),
            (.bodyTooLarge, NSURLErrorDataLengthExceedsMaximum),
            (.libraryMissing(package: "libcurl4"), NSURLErrorUnknown),
            (.systemLimit, NSURLErrorUnknown),
            (.other, NSURLErrorUnknown),
        ].map { kind, code in
            FailureRow(
                .network(TransportFailure(kind, reason: "late"), host: "h"), .internalErrorUnexpected,
                cause: Cause(NSURLErrorDomain, code))
        }

    private static let machine: [FailureRow] =
        [
            FailureRow(.machine(.brokerNotAvailable), .internalBrokerNotAvailable),
            FailureRow(.machine(.deviceNotRegistered), .workplaceJoinRequired),
            FailureRow(.machine(.refreshHeldUp(by: nil, seconds: 45)), .internalErrorUnexpected),
            FailureRow(
                .machine(.refreshHeldUp(by: TurnHolder(name: "keyturn (process 1)", isStopped: true), seconds: 10)),
                .internalErrorUnexpected),
            FailureRow(
                .machine(.receiver(RedirectReceiverFailure(reason: "The port is taken."))), .internalErrorUnexpected),
            FailureRow(.machine(.noBrowser("There is no display.")), .internalErrorNoViewController),
            FailureRow(.machine(.proofKey(ProofKeyFailure(reason: "It cannot be read."))), .internalErrorUnexpected),
            FailureRow(.unexpected("SomeError"), .internalErrorUnexpected),
            FailureRow(
                .machine(.externalAccounts(NSError(domain: "theirs", code: 7))), .internalErrorUnexpected,
                cause: Cause("theirs", 7)),
        ]
        + [
            (CredentialStoreFailure.Kind.setAside(as: "x"), -26275), (.damagedRecords, -26275), (.foundDamaged, -26275),
            (.notAsLeft, -25295),
            (.unsafePermissions, -61),
            (.keyUnavailable, -25308), (.busy, -25291), (.unsupported, -36), (.io, -36),
        ].map { kind, status in
            FailureRow(
                .store(CredentialStoreFailure(kind, reason: "It failed.")), .internalErrorUnexpected,
                cause: Cause("NSOSStatusErrorDomain", status))
        }

    private static let broker: [FailureRow] =
        [
            FailureRow(.machine(.brokerFailed(BrokerFailure(.absent, reason: "None."))), .internalBrokerNotAvailable),
            FailureRow(
                .machine(.brokerFailed(BrokerFailure(.unanswered, reason: "Late."))),
                .internalErrorBrokerResponseNotReceived),
            FailureRow(
                .machine(.brokerFailed(BrokerFailure(.stopped, reason: "Gone."))),
                .internalErrorBrokerResponseNotReceived),
            FailureRow(.machine(.brokerFailed(BrokerFailure(.failed, reason: "Why."))), .internalErrorBrokerUnknown),
            FailureRow(.machine(.brokerFailed(BrokerFailure(.cancelled, reason: "Over."))), .userCanceled),
            FailureRow(.machine(.brokerResponseMalformed(.notJSONObject)), .internalErrorBrokerCorruptedResponse),
            FailureRow(.machine(.broker(BrokerRejection(.interactionRequired))), .interactionRequired),
            FailureRow(.machine(.broker(BrokerRejection(.accountUnusable))), .interactionRequired),
            FailureRow(.machine(.broker(BrokerRejection(.userCanceled))), .userCanceled),
            FailureRow(.machine(.broker(BrokerRejection(.applicationCanceled))), .userCanceled),
            FailureRow(
                .machine(.broker(BrokerRejection(.noNetwork))), .internalErrorUnexpected,
                cause: Cause(NSURLErrorDomain, NSURLErrorNotConnectedToInternet)),
            FailureRow(
                .machine(.broker(BrokerRejection(.networkTemporarilyUnavailable))), .internalErrorUnexpected,
                cause: Cause(NSURLErrorDomain, NSURLErrorNetworkConnectionLost)),
            serverDown,
        ]
        + [
            (BrokerRejection.Status.unexpected, MSALInternalError.internalErrorBrokerUnknown),
            (.reserved, .internalErrorBrokerUnknown), (.insufficientBuffer, .internalErrorBrokerUnknown),
            (.apiContractViolation, .internalErrorInvalidRequest),
            (.incorrectConfiguration, .internalErrorUnauthorizedClient),
            (.authorityUntrusted, .internalErrorFailedAuthorityValidation), (.userSwitch, .internalErrorMismatchedUser),
        ].map { status, code in FailureRow(.machine(.broker(BrokerRejection(status))), code) }

    private static var serverDown: FailureRow {
        var row = FailureRow(.machine(.broker(BrokerRejection(.serverTemporarilyUnavailable))), .internal)
        row.internalCode = MSALError.serverError.rawValue
        return row
    }

    package static let conditions =
        caller + byUser + pasted + callbacks + answers + authorities + resources + network + machine + broker
}
