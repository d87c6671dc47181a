import OAuthCore

extension AuthenticationFailure {
    /// A protection policy names the account it is for; any other failure stays what it is.
    func inSilence(for account: TokenRequestSnapshot.Account) -> AuthenticationFailure {
        if case .authority(.throttled(let earlier)) = self {
            return .authority(.throttled(earlier.inSilence(for: account)))
        }
        guard let refusal, refusal.classification.code == .serverProtectionPoliciesRequired else { return self }
        return .authority(
            .protectionPolicyRequired(refusal, homeAccountID: account.homeAccountID, username: account.username))
    }
}
