import AuthEngine
import Foundation

extension ErrorReport {
    /// The report for an error thrown by the library.
    package init(_ error: NSError, at date: Date) {
        let info = error.userInfo
        let internalCode = info[MSALInternalErrorCodeKey] as? Int
        let code = error.domain == MSALErrorDomain ? MSALError(rawValue: error.code) : nil
        self.init(
            headline: Self.headline(error) ?? code.flatMap(Self.headline)
                ?? internalCode.flatMap(MSALInternalError.init).flatMap { Self.headlines[$0] }
                ?? (error.failureKind == .protocolViolation
                    ? "The server's response is invalid." : "The operation failed."),
            reason: error.localizedDescription,
            advice: error.localizedRecoverySuggestion ?? "",
            kind: error.failureKind,
            domain: error.domain,
            code: error.code,
            codeNames: [code.map { "\($0)" }, internalCode.flatMap(MSALInternalError.init).map { "\($0)" }]
                .compactMap { $0 },
            internalCode: internalCode,
            oauthError: info[MSALOAuthErrorKey] as? String,
            oauthSubError: info[MSALOAuthSubErrorKey] as? String,
            serviceCodes: info[MSALSTSErrorCodesKey] as? [Int] ?? [],
            correlationID: info[MSALCorrelationIDKey] as? String,
            date: date, retryDate: (info[MSALRetryAfterKey] as? Double).map(date.addingTimeInterval))
    }

    /// The headline by failure kind.
    private static func headline(_ error: NSError) -> String? {
        let info = error.userInfo
        switch error.failureKind {
        case .unavailable:
            let status = info[MSALHTTPResponseCodeKey] as? String
            if status == nil, info[MSALOAuthErrorKey] == nil { return "Can't reach the authority." }
            let inHTTP = status.map { " (HTTP \($0))" } ?? ""
            return status == "500" ? "The server failed\(inHTTP)." : "The server is busy\(inHTTP)."
        // With an OAuth error, the user declined on the authority's page.
        case .canceled:
            return info[MSALOAuthErrorKey] == nil ? "Sign-in cancelled." : "Sign-in declined."
        case .signInRequired: return "Sign-in required."
        case .declinedScopes: return "The authority didn't grant all scopes."
        case .protocolViolation:
            return (info[MSALFailedChecksKey] as? [String]).map {
                "ID token rejected: \($0.joined(separator: ", ").lowercased())."
            }
        case .misconfigured, .refused, .store, .other: return nil
        }
    }

    private static func headline(_ code: MSALError) -> String? {
        switch code {
        case .serverProtectionPoliciesRequired: "The organisation requires an app protection policy."
        case .workplaceJoinRequired: "The organisation requires a registered device."
        case .serverInvalidRequestResetPasswordRequired: "The user must reset the password first."
        case .internal, .interactionRequired, .serverDeclinedScopes, .userCanceled, .serverError,
            .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry:
            nil
        }
    }

    /// The headline of a code that says more than the failure's kind.
    private static let headlines: [MSALInternalError: String] = [
        .internalErrorInvalidClient: "The authority rejected this application.",
        .internalErrorUnauthorizedClient: "The authority rejected this application.",
        .internalErrorInvalidScope: "The authority doesn't know these scopes.",
        .internalErrorInvalidRequest: "The authority rejected the request as invalid.",
        .internalErrorInvalidGrant: "The authority rejected the sign-in.",
        .internalErrorAuthorizationFailed: "The authority denied authorization.",
        .internalErrorFailedAuthorityValidation: "The authority can't be trusted.",
        .internalErrorRedirectSchemeNotRegistered: "The redirect URI can't be used.",
        .internalErrorInvalidRedirectURI: "The redirect URI can't be used.",
        .internalErrorMismatchedUser: "Another user signed in.",
        .internalErrorInteractiveSessionAlreadyRunning: "Another sign-in is running.",
        .internalErrorInvalidState: "The response belongs to another sign-in.",
        .internalErrorInvalidParameter: "The request is incomplete.",
        .internalErrorUnhandledResponse: "The server rejected the request.",
    ]
}
