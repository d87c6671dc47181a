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

    /// `LSApplicationQueriesSchemes`: without both, a broker-capable redirect URI is refused (msal-behaviours §1.4).
    private var queries: CheckFinding? {
        let missing = rules.missingBrokerQuerySchemes
        let isNeeded =
            if case .accepted(let redirect) = rules.verify(redirectURI) { redirect.isBrokerCapable } else { false }
        let fix = "Add \(missing.joined(separator: " and ")) to LSApplicationQueriesSchemes of the Info.plist."
        switch (missing.isEmpty, isNeeded) {
        case (true, _):
            return CheckFinding(
                "Broker query schemes", .good, "msauthv2 and msauthv3 stand in LSApplicationQueriesSchemes.")
        case (false, true):
            return CheckFinding(
                "Broker query schemes", .wrong,
                "LSApplicationQueriesSchemes lacks \(missing.joined(separator: " and ")), so that the redirect URI is "
                    + "refused (-42001).", fix: fix)
        case (false, false):
            return CheckFinding(
                "Broker query schemes", .attention,
                "LSApplicationQueriesSchemes lacks \(missing.joined(separator: " and ")); the redirect URI needs no broker.",
                fix: fix)
        }
    }
}
