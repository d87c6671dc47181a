import Diagnosis
import MSAL

extension Failure {
    /// The field of the profile that a failed sign-in blames; nil if another profile would fail in the same way.
    var blamedField: ProfileDraft.Field? {
        let codes = Set(explanations.map(\.code))
        return Self.blamed.first { !$0.codes.isDisjoint(with: codes) }?.field
            ?? internalCode.flatMap(MSALInternalError.init).flatMap { Self.blamedByCode[$0] }
            ?? (kind == .unavailable && oauthError == nil ? .authority : nil)
    }

    /// The errors of authorities that name a field of the profile.
    private static let blamed: [(field: ProfileDraft.Field, codes: Set<String>)] = [
        (.redirectURI, ["AADSTS50011", "AADSTS500113", "AADSTS500117"]),
        (.authority, ["AADSTS90002", "AADSTS50059", "AADSTS90072"]),
        (.clientID, ["AADSTS700016", "AADSTS70001", "AADSTS7000218", "invalid_client", "unauthorized_client"]),
        (.scopes, ["AADSTS70011", "invalid_scope"]),
    ]

    private static let blamedByCode: [MSALInternalError: ProfileDraft.Field] = [
        .internalErrorInvalidClient: .clientID, .internalErrorUnauthorizedClient: .clientID,
        .internalErrorFailedAuthorityValidation: .authority, .internalErrorUnhandledResponse: .authority,
        .internalErrorUnexpectedHttpResponse: .authority, .internalErrorInvalidRedirectURI: .redirectURI,
        .internalErrorRedirectSchemeNotRegistered: .redirectURI, .internalErrorInvalidScope: .scopes,
    ]
}
