import Foundation
import OAuthCore

/// What stands between a valid grant and its tokens.
extension DemoAuthority {
    /// The refusal that is due while renewals are interrupted.
    mutating func interrupted() -> HTTPResponse? {
        guard let interruption = settings.interruption, interruptionsLeft > 0 else { return nil }
        interruptionsLeft -= 1
        return interruption.response
    }

    /// Entra's app protection policies: the application has to have itself managed first.
    func checkPolicies(_ grant: Grant) throws(AuthorityError) {
        guard settings.policies.protectedTenants.contains(grant.tenantID) else { return }
        throw AuthorityError(.protectionPolicyRequired, suberror: "protection_policy_required")
    }

    /// A changed password ends what was signed in with the old one, in browsers too.
    mutating func changePasswordIfDue() throws(AuthorityError) {
        guard settings.policies.changesPasswordAtFirstRenewal, !passwordHasChanged else { return }
        passwordHasChanged = true
        browsers.removeAll()
        families.removeAll()
        throw AuthorityError(.passwordChanged, suberror: "bad_token")
    }
}
