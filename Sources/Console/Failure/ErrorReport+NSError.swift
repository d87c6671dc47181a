import AuthEngine
import Foundation

extension ErrorReport {
    /// What an error thrown by the library means for a person. Pure: the same error gives the same report.
    package init(_ error: NSError, at date: Date) {
        let info = error.userInfo
        let internalCode = info[MSALInternalErrorCodeKey] as? Int
        let isLibrary = error.domain == MSALErrorDomain
        let kind = isLibrary ? MSALError(rawValue: error.code) : nil
        let underlying = info[NSUnderlyingErrorKey] as? NSError
        let isNetwork = error.domain == NSURLErrorDomain || underlying?.domain == NSURLErrorDomain
        self.init(
            headline: Self.headline(
                kind, internalCode: internalCode, isNetwork: isNetwork, isRefusal: info[MSALOAuthErrorKey] != nil),
            reason: error.localizedDescription,
            advice: error.localizedRecoverySuggestion ?? "",
            remedy: Self.remedy(kind, internalCode: internalCode),
            domain: error.domain,
            code: error.code,
            codeNames: [kind.map { "\($0)" }, internalCode.flatMap(MSALInternalError.init).map { "\($0)" }]
                .compactMap { $0 },
            internalCode: internalCode,
            oauthError: info[MSALOAuthErrorKey] as? String,
            oauthSubError: info[MSALOAuthSubErrorKey] as? String,
            serviceCodes: info[MSALSTSErrorCodesKey] as? [Int] ?? [],
            correlationID: info[MSALCorrelationIDKey] as? String,
            date: date)
    }

    package var isInteractionRequired: Bool {
        domain == MSALErrorDomain && code == MSALError.interactionRequired.rawValue
    }

    private static func headline(
        _ kind: MSALError?, internalCode: Int?, isNetwork: Bool, isRefusal: Bool
    ) -> String {
        if isNetwork { return "The authority could not be reached." }
        switch kind {
        // With an OAuth error it was the authority that ended it: the person said no on its page.
        case .userCanceled: return isRefusal ? "The sign-in was declined." : "The sign-in was cancelled."
        case .interactionRequired: return "The person has to sign in again."
        case .serverDeclinedScopes: return "The authority did not grant everything that was asked for."
        case .serverProtectionPoliciesRequired: return "The tenant allows this only on a protected device."
        case .workplaceJoinRequired: return "The tenant allows this only on a device that is registered with it."
        case .serverInvalidRequestResetPasswordRequired: return "The password has to be changed first."
        default: break
        }
        return internalCode.flatMap(MSALInternalError.init).flatMap(headline) ?? "It did not work."
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
        case .internalErrorInvalidResponse, .internalErrorUnhandledResponse, .internalErrorUnexpectedHttpResponse:
            "The authority gave an answer that makes no sense."
        case .internalErrorInvalidParameter: "The request is not complete."
        default: nil
        }
    }

    /// What the configuration gets wrong stays wrong when it is tried again.
    private static func remedy(_ kind: MSALError?, internalCode: Int?) -> Remedy {
        if kind == .interactionRequired { return .signIn }
        switch internalCode.flatMap(MSALInternalError.init) {
        case .internalErrorInvalidRedirectURI, .internalErrorRedirectSchemeNotRegistered: return .none
        default: return .tryAgain
        }
    }
}
