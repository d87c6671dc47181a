import AuthEngine
import Foundation
import OAuthCore

/// What an application registers with its system, judged for signing in: redirect URI, schemes, broker.
package struct RegistrationFindings: Sendable {
    package var clientID: String
    /// As configured; the default one when it is `nil` or blank.
    package var redirectURI: String?
    package var registration: MSALAppRegistration
    /// `nil` when it is not known whose rules on brokers hold.
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

    /// The scheme that the desktop has to hand over; `nil` where none is needed.
    package var handedScheme: String? {
        guard case .accepted(let redirect) = rules.verify(redirectURI), redirect.way == .customScheme else {
            return nil
        }
        return redirect.url.scheme
    }

    private var rules: RedirectURIRules {
        RedirectURIRules(clientID: clientID, registration: registration.value)
    }

    private var identity: CheckFinding {
        let name = registration.value.displayName.map { " (\($0))" } ?? ""
        return CheckFinding("Application", .good, "\(registration.value.bundleIdentifier)\(name).")
    }

    /// `LSApplicationQueriesSchemes`: an application that lists one scheme of Apple's broker has to list both.
    private var queries: CheckFinding? {
        guard registration.hasInfoPlist else { return nil }
        let subject = "Broker query schemes"
        let missing = rules.missingBrokerQuerySchemes.joined(separator: " and ")
        guard !missing.isEmpty else {
            return CheckFinding(subject, .good, "msauthv2 and msauthv3 stand in LSApplicationQueriesSchemes.")
        }
        let lack = "LSApplicationQueriesSchemes lacks \(missing)"
        let fix = "Add \(missing) to LSApplicationQueriesSchemes of the Info.plist."
        switch rules.verify(redirectURI) {
        case .accepted(let redirect) where redirect.isBrokerCapable:
            return rules.asksForAppleBroker
                ? CheckFinding(subject, .wrong, "\(lack), so the redirect URI is refused (-42001).", fix: fix)
                : CheckFinding(
                    subject, .attention,
                    "\(lack). On iOS this redirect URI would be refused (-42001); Linux does not need the schemes.",
                    fix: fix)
        case .accepted, .rejected:
            return CheckFinding(subject, .attention, "\(lack); the redirect URI needs no broker.", fix: fix)
        }
    }
}
