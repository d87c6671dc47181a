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
    /// A property list.
    private let entitlements: [UInt8]?

    /// - Parameter isOther: whether the registration is another application's, to which the rules of its system apply.
    package init(
        clientID: String, redirectURI: String?, registration: MSALAppRegistration, authority: MSALAuthority?,
        isOther: Bool = false, entitlements: [UInt8]? = nil
    ) {
        (self.clientID, self.redirectURI, self.registration) = (clientID, redirectURI, registration)
        (self.authority, self.isOther, self.entitlements) = (authority?.value, isOther, entitlements)
    }

    package var all: [CheckFinding] {
        [identity] + RedirectURIFindings(redirectURI, rules: rules, authority: authority, isOther: isOther).all
            + [link, queries].compactMap(\.self)
    }

    private var isForApple: Bool { isOther && registration.value.isForApple }

    /// The scheme that the desktop must open with the program; `nil` if none.
    package var handedScheme: String? { accepted.flatMap { $0.kind == .customScheme ? $0.url.scheme : nil } }

    /// `nil` if it is invalid.
    package var sentRedirectURI: String? { accepted?.url.absoluteString }

    private var accepted: RedirectURI? {
        if case .accepted(let redirect) = rules.verify(redirectURI) { redirect } else { nil }
    }

    private var rules: RedirectURIRules { RedirectURIRules(clientID: clientID, registration: registration.value) }

    private var identity: CheckFinding {
        if let source = CheckFinding.sourceFile(registration.value, redirectURI) { return source }
        let name = registration.value.displayName.map { " (\($0))" } ?? ""
        return CheckFinding(named: "bundle-identifier", registration.value.bundleIdentifier, name)
    }

    /// `LSApplicationQueriesSchemes`: an application that lists one scheme of Apple's broker must list both.
    private var queries: CheckFinding? {
        guard registration.hasInfoPlist else { return nil }
        let missing = rules.missingBrokerQuerySchemes.joined(separator: " and ")
        guard !missing.isEmpty else { return CheckFinding(named: "query-schemes-listed") }
        guard accepted?.isBrokerCapable == true else {
            return CheckFinding(named: "query-schemes-not-needed", missing, missing)
        }
        let isRequired = rules.requestsAppleBroker || isForApple
        return CheckFinding(named: isRequired ? "query-schemes-required" : "query-schemes-for-ios", missing, missing)
    }

    /// Whether the system opens an https redirect URI with the application, as a universal link; `nil` for another redirect URI.
    private var link: CheckFinding? {
        guard entitlements != nil || isForApple, let redirect = accepted, redirect.kind == .httpsLink,
            let host = redirect.url.host()
        else { return nil }
        guard let entitlements else { return CheckFinding(named: "link-unchecked") }
        guard let entitlements = Entitlements(parsing: entitlements) else {
            return CheckFinding(named: "link-without-entitlements")
        }
        let shown = Privacy.host(host)
        guard entitlements.links(host) else {
            return CheckFinding(named: "link-not-covered", shown, Entitlements.service + shown)
        }
        return CheckFinding(
            named: "link-covered", shown, shown, registration.value.bundleIdentifier,
            String(redirect.url.path().drop { $0 == "/" }))
    }
}

extension CheckFinding {
    /// The finding about an Info.plist with a build setting as bundle identifier; `nil` for another.
    static func sourceFile(_ registration: AppRegistration, _ redirectURI: String?) -> CheckFinding? {
        guard registration.hasBuildSetting else { return nil }
        let (own, built) = (registration.bundleIdentifier, registration.built(for: redirectURI).bundleIdentifier)
        return built == own
            ? CheckFinding(named: "bundle-identifier-of-source", own)
            : CheckFinding(named: "bundle-identifier-assumed", own, built)
    }
}

/// The form of a client ID.
package struct ClientIDFindings: Sendable {
    package var clientID: String
    /// `nil` if unknown, which allows any form.
    private let authority: Authority?

    package init(_ clientID: String, authority: MSALAuthority?) {
        (self.clientID, self.authority) = (clientID, authority?.value)
    }

    package var finding: CheckFinding {
        let id = clientID.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !id.isEmpty else { return CheckFinding(named: "client-id-empty") }
        guard id == clientID, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return CheckFinding(named: "client-id-malformed")
        }
        guard !id.contains("://") else {
            return CheckFinding(named: "client-id-url", id, verdict: wantsGUID ? .failed : .warning)
        }
        if wantsGUID, UUID(uuidString: id) == nil { return CheckFinding(named: "client-id-of-entra", id) }
        if authority?.url.host == "accounts.google.com", !id.hasSuffix(Self.googlesSuffix) {
            return CheckFinding(named: "client-id-of-google", Self.googlesSuffix)
        }
        guard authority != nil else { return CheckFinding(named: "client-id-unchecked") }
        return CheckFinding(named: "client-id-in-order", id, wantsGUID ? "is a GUID" : "is well-formed")
    }

    private static let googlesSuffix = ".apps.googleusercontent.com"

    /// Local authorities can imitate Entra without using GUIDs.
    private var wantsGUID: Bool { authority.map { $0.speaksEntra && !$0.url.isLoopback } ?? false }
}
