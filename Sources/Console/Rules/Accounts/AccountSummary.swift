import Foundation
import MSAL

/// An account as shown. The identifier is opaque; only the library interprets it.
package struct AccountSummary: Sendable, Equatable {
    package var identifier: String
    package var name: String?
    package var username: String
    package var tenant: String?
    package var environment: String
    package var tenantProfiles: [TenantProfileSummary]
    package var token: AccessState?
    package var signedInOn: Date?
    /// When the sign-in ends at the latest, if the authority ever said so: no refresh works after that.
    package var signInExpiry: MSALSignInExpiry?
    package var isFromOtherApplication = false
    /// The authority of an account that doesn't belong to the profile's authority.
    package var otherAuthority: String?
    package var agreements: [MSALTokenAgreement] = []

    package init(
        identifier: String, name: String? = nil, username: String, tenant: String? = nil, environment: String,
        tenantProfiles: [TenantProfileSummary] = []
    ) {
        (self.identifier, self.name, self.username) = (identifier, name, username)
        (self.tenant, self.environment, self.tenantProfiles) = (tenant, environment, tenantProfiles)
    }

    /// Beside the name of an account whose next token needs a sign-in.
    package static let endedMark = "(sign-in ended)"
    /// What to say when the default account is removed (docs/decisions/0045-command-line.md).
    package static let staysDefault = "It was the default account, and is again once it has signed in."

    package var displayName: String { username.isEmpty ? name ?? identifier : username }

    package func state(at now: Date?) -> AccountState? { token(at: now)?.state(by: now) }

    /// The state of the token. After the end of the sign-in, no refresh works.
    func token(at now: Date?) -> AccessState? {
        guard let now, let end = signInExpiry?.date, end <= now else { return token }
        return token?.withoutRefresh
    }

    /// Whether the next token needs a sign-in. `false` if the state of the tokens is unknown.
    package func needsSignIn(at now: Date?) -> Bool { state(at: now) == .signInRequired }

    package func signInExpiryWord(by now: Date?) -> String {
        guard let end = signInExpiry?.date, let now else { return "" }
        return end <= now ? "ended" : Moment.relative(end, to: now)
    }

    func signInExpirySentence(by now: Date?, in zone: TimeZone) -> String? {
        guard let end = signInExpiry else { return nil }
        let time = "\(Moment.local(end.date, in: zone)) at the latest, \(end.reason)"
        return end.date <= now ?? .distantPast ? "ended: \(time)" : "\(time). An administrator can end it earlier."
    }

    var guestTenants: [String] { tenantProfiles.filter { !$0.isHome }.map(\.tenant) }

    /// Visits the texts that a filter searches: all that the list shows.
    func visitSearchTexts(_ visit: (String) -> Void) {
        if let name { visit(name) }
        visit(username)
        if let tenant { visit(tenant) }
        visit(environment)
        if let otherAuthority { visit(otherAuthority) }
        for profile in tenantProfiles where !profile.isHome { visit(profile.tenant) }
    }
}

extension MSALSignInExpiry {
    package var reason: String {
        let lifetime = Moment.remaining(date.timeIntervalSince(countedFrom))
        return switch basis {
        case .stated: "as the authority said"
        case .maximumAge: "because the authority rejected a sign-in after \(lifetime) (AADSTS70043)"
        case .inactivity: "if no token is refreshed before: one was rejected after \(lifetime) (AADSTS700082)"
        }
    }
}

package struct TenantProfileSummary: Sendable, Equatable {
    package var tenant: String
    package var isHome: Bool
}
