import AuthEngine
import Foundation

extension ErrorReport {
    /// What an error thrown by the library means for a person. Pure: the same error gives the same report.
    package init(_ error: NSError, at date: Date) {
        let info = error.userInfo
        let internalCode = info[MSALInternalErrorCodeKey] as? Int
        let code = error.domain == MSALErrorDomain ? MSALError(rawValue: error.code) : nil
        self.init(
            headline: Self.headline(error) ?? code.flatMap(Self.headline)
                ?? internalCode.flatMap(MSALInternalError.init).flatMap(Self.headline)
                ?? (error.failureKind == .protocolViolation ? "The server's response is invalid." : "It did not work."),
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

    /// What the kind of the failure, or the rules that a token failed, say already.
    private static func headline(_ error: NSError) -> String? {
        let info = error.userInfo
        switch error.failureKind {
        case .unavailable:
            let status = info[MSALHTTPResponseCodeKey] as? String
            if status == nil, info[MSALOAuthErrorKey] == nil { return "The authority could not be reached." }
            let inHTTP = status.map { " (HTTP \($0))" } ?? ""
            return status == "500" ? "The server failed\(inHTTP)." : "The server is busy\(inHTTP)."
        // With an OAuth error it was the authority that ended it: the person said no on its page.
        case .canceled:
            return info[MSALOAuthErrorKey] == nil ? "The sign-in was cancelled." : "The sign-in was declined."
        case .signInRequired: return "The person has to sign in again."
        case .declinedScopes: return "The authority did not grant everything that was asked for."
        case .protocolViolation:
            return (info[MSALFailedChecksKey] as? [String]).map {
                "The ID token was rejected: \($0.joined(separator: ", ").lowercased())."
            }
        case .misconfigured, .refused, .store, .other: return nil
        }
    }

    private static func headline(_ code: MSALError) -> String? {
        switch code {
        case .serverProtectionPoliciesRequired: "The tenant allows this only on a protected device."
        case .workplaceJoinRequired: "The tenant allows this only on a device that is registered with it."
        case .serverInvalidRequestResetPasswordRequired: "The password has to be changed first."
        case .internal, .interactionRequired, .serverDeclinedScopes, .userCanceled, .serverError,
            .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry:
            nil
        }
    }

    private static func headline(_ error: MSALInternalError) -> String? {
        switch error {
        case .internalErrorInvalidClient, .internalErrorUnauthorizedClient:
            "The authority does not accept this application."
        case .internalErrorInvalidScope: "The authority does not know these scopes."
        case .internalErrorInvalidRequest: "The authority did not understand the request."
        case .internalErrorInvalidGrant: "The authority refused the sign-in."
        case .internalErrorAuthorizationFailed: "The authority did not let the sign-in through."
        case .internalErrorFailedAuthorityValidation: "This is not an authority that can be trusted."
        case .internalErrorRedirectSchemeNotRegistered, .internalErrorInvalidRedirectURI:
            "The redirect URI cannot be used."
        case .internalErrorMismatchedUser: "Somebody else signed in."
        case .internalErrorInteractiveSessionAlreadyRunning: "Another sign-in is still running."
        case .internalErrorInvalidState: "The answer belongs to another sign-in."
        case .internalErrorInvalidParameter: "The request is not complete."
        case .internalErrorUnhandledResponse: "The server did not accept the request."
        default: nil
        }
    }
}
