import Foundation
import MSAL
import OAuthCore

/// Findings about an application's registration with the system: redirect URI, schemes and broker.
package struct RegistrationFindings: Sendable {
    package var clientID: String
    /// The configured redirect URI; `nil` or blank means the default.
    package var redirectURI: String?
    package var registration: MSALAppRegistration
    /// The authority whose broker rules apply; `nil` if unknown.
    private let authority: Authority?

    package init(
        clientID: String, redirectURI: String?, registration: MSALAppRegistration, authority: MSALAuthority?
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.registration = registration
        self.authority = authority?.value
    }

    package var all: [CheckFinding] {
        [identity] + RedirectURIFindings(redirectURI, rules: rules, authority: authority).all
            + [queries].compactMap(\.self)
    }

    /// The scheme that the desktop must open with the program; `nil` if none.
    package var handedScheme: String? {
        guard case .accepted(let redirect) = rules.verify(redirectURI), redirect.kind == .customScheme else {
            return nil
        }
        return redirect.url.scheme
    }

    /// The redirect URI that a sign-in sends; `nil` if it is invalid.
    package var sentRedirectURI: String? {
        guard case .accepted(let redirect) = rules.verify(redirectURI) else { return nil }
        return redirect.url.absoluteString
    }

    private var rules: RedirectURIRules {
        RedirectURIRules(clientID: clientID, registration: registration.value)
    }

    private var identity: CheckFinding {
        let name = registration.value.displayName.map { " (\($0))" } ?? ""
        return CheckFinding("Bundle identifier", .passed, "\(registration.value.bundleIdentifier)\(name).")
    }

    /// `LSApplicationQueriesSchemes`: an application that lists one scheme of Apple's broker must list both.
    private var queries: CheckFinding? {
        guard registration.hasInfoPlist else { return nil }
        let subject = "Broker query schemes"
        let missing = rules.missingBrokerQuerySchemes.joined(separator: " and ")
        guard !missing.isEmpty else {
            return CheckFinding(subject, .passed, "LSApplicationQueriesSchemes lists msauthv2 and msauthv3.")
        }
        let lack = "LSApplicationQueriesSchemes lacks \(missing)"
        let fix = "Add \(missing) to LSApplicationQueriesSchemes of the Info.plist."
        switch rules.verify(redirectURI) {
        case .accepted(let redirect) where redirect.isBrokerCapable:
            return rules.requestsAppleBroker
                ? CheckFinding(subject, .failed, "\(lack), so MSAL rejects the redirect URI (-42001).", fix: fix)
                : CheckFinding(
                    subject, .warning,
                    "\(lack). iOS would reject the redirect URI (-42001). Linux doesn't need the schemes.",
                    fix: fix)
        case .accepted, .rejected:
            return CheckFinding(subject, .warning, "\(lack), but the redirect URI needs no broker.", fix: fix)
        }
    }
}
