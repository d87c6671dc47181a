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
    private let isOther: Bool
    /// The application's entitlements, as a property list.
    private let entitlements: [UInt8]?

    /// - Parameter isOther: whether the registration is another application's, to which the rules of its system apply.
    package init(
        clientID: String, redirectURI: String?, registration: MSALAppRegistration, authority: MSALAuthority?,
        isOther: Bool = false, entitlements: [UInt8]? = nil
    ) {
        self.entitlements = entitlements
        self.isOther = isOther
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.registration = registration
        self.authority = authority?.value
    }

    package var all: [CheckFinding] {
        [identity] + RedirectURIFindings(redirectURI, rules: rules, authority: authority, isOther: isOther).all
            + [link, queries].compactMap(\.self)
    }

    private var isForApple: Bool { isOther && registration.value.isForApple }

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
        if let source = CheckFinding.sourceFile(registration.value, redirectURI) { return source }
        let name = registration.value.displayName.map { " (\($0))" } ?? ""
        return CheckFinding("Bundle identifier", .passed, "\(registration.value.bundleIdentifier)\(name).")
    }

    /// `LSApplicationQueriesSchemes`: an application that lists one scheme of Apple's broker must list both.
    private var queries: CheckFinding? {
        guard registration.hasInfoPlist else { return nil }
        let subject = InfoPlistExplanation.queries
        let missing = rules.missingBrokerQuerySchemes.joined(separator: " and ")
        guard !missing.isEmpty else {
            return CheckFinding(named: "query-schemes-listed")
        }
        let lack = "LSApplicationQueriesSchemes lacks \(missing)"
        let fix = "Add \(missing) to LSApplicationQueriesSchemes of the Info.plist."
        switch rules.verify(redirectURI) {
        case .accepted(let redirect) where redirect.isBrokerCapable:
            return rules.requestsAppleBroker || isForApple
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

/// Universal links.
extension RegistrationFindings {
    /// Whether the system opens an https redirect URI with the application; `nil` for another redirect URI.
    private var link: CheckFinding? {
        guard entitlements != nil || isForApple, case .accepted(let redirect) = rules.verify(redirectURI),
            redirect.kind == .httpsLink, let host = redirect.url.host()
        else { return nil }
        let subject = "Universal link"
        guard let entitlements else {
            return CheckFinding(
                subject, .skipped,
                "The entitlements decide whether it opens the application. Name them: --entitlements.")
        }
        guard let entitlements = Entitlements(parsing: entitlements) else {
            return CheckFinding(
                subject, .failed, "The file for --entitlements has no entitlements.",
                fix: "Use the .entitlements file of the Xcode project.")
        }
        let shown = Privacy.host(host)
        guard entitlements.links(host) else {
            return CheckFinding(
                subject, .failed, "No associated domain covers \(shown), so the response stays in the browser.",
                fix: "Add \(Entitlements.service)\(shown) to com.apple.developer.associated-domains.")
        }
        return CheckFinding(
            subject, .passed,
            "An associated domain covers \(shown). https://\(shown)/.well-known/apple-app-site-association must list "
                + "TEAM-ID.\(registration.value.bundleIdentifier) with the path /\(redirect.url.path().drop { $0 == "/" })."
        )
    }
}

extension CheckFinding {
    /// The finding about an Info.plist with a build setting as bundle identifier; `nil` for another.
    static func sourceFile(_ registration: AppRegistration, _ redirectURI: String?) -> CheckFinding? {
        guard registration.hasBuildSetting else { return nil }
        let built = registration.built(for: redirectURI).bundleIdentifier
        guard built == registration.bundleIdentifier else {
            return CheckFinding(
                "Bundle identifier", .warning,
                "\(registration.bundleIdentifier), a build setting. The checks assume that it becomes \(built).",
                fix: "Compare it with the bundle identifier in Xcode.")
        }
        return CheckFinding(
            "Bundle identifier", .warning,
            "\(registration.bundleIdentifier), a build setting that is not yet replaced: this is the source file.",
            fix: "Use the Info.plist of the built app, which has the real identifier, or name the redirect URI.")
    }
}
