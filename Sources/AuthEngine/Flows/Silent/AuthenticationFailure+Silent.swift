import OAuthCore

/// What a failure means to a silent request (msal-behaviours §5.1).
extension AuthenticationFailure {
    /// Nobody said no: the authority, or the way to it, is down.
    var isOutage: Bool {
        switch self {
        case .throttled(let earlier): earlier.isOutage
        case .network: true
        case .broker(let refusal): refusal.isOutage
        case .unexpectedStatus(let status, _, _): status >= 500
        case .metadata(_, .status(let status)): status >= 500
        default: false
        }
    }

    /// What the authority said when it refused, now or a moment ago.
    var refusal: OAuthErrorResponse? {
        switch self {
        case .throttled(let earlier): earlier.refusal
        case .refused(let refusal): refusal
        default: nil
        }
    }

    /// A refusal that asking the person may mend needs interaction; any other failure stays what it is.
    func inSilence(for account: TokenRequestSnapshot.Account) -> AuthenticationFailure {
        switch self {
        case .throttled(let earlier): .throttled(earlier.inSilence(for: account))
        case .refused(let refusal) where !refusal.isBeyondInteraction: .interactionRequired(.refused(refusal))
        case .refused(let refusal) where refusal.classification.code == .serverProtectionPoliciesRequired:
            .protectionPolicyRequired(
                refusal, homeAccountID: account.homeAccountID, username: account.username)
        default: self
        }
    }
}
