import Foundation
import OAuthCore

/// Policies that can reject a valid grant.
extension DemoAuthority {
    /// The rejection of refreshes during an interruption.
    mutating func interrupted() -> HTTPResponse? {
        guard let interruption = settings.interruption, interruptionsLeft > 0 else { return nil }
        interruptionsLeft -= 1
        return interruption.response
    }

    /// Enforces app protection policies as Entra does: the application must enrol first.
    func checkPolicies(_ grant: Grant) throws(AuthorityError) {
        guard settings.policies.protectedTenants.contains(grant.tenantID) else { return }
        throw AuthorityError(.protectionPolicyRequired, suberror: "protection_policy_required")
    }

    /// Simulates a password change, which revokes earlier sign-ins and browser sessions.
    mutating func changePasswordIfDue() throws(AuthorityError) {
        guard settings.policies.changesPasswordAtFirstRenewal, !passwordHasChanged else { return }
        passwordHasChanged = true
        browsers.removeAll()
        families.removeAll()
        throw AuthorityError(.passwordChanged, suberror: "bad_token")
    }
}
