import Foundation
import MSAL
import OAuthCore

/// Findings about a redirect URI, rule by rule (docs/upstream-behaviour.md §1).
package struct RedirectURIFindings: Sendable, Equatable {
    package var rules: RedirectURIRules
    /// The configured redirect URI; `nil` or blank means the default.
    package var uri: String?
    /// The authority whose broker rules apply; `nil` if unknown, which reports both cases.
    package var authority: Authority?

    package init(_ uri: String?, rules: RedirectURIRules, authority: Authority? = nil) {
        self.uri = uri
        self.rules = rules
        self.authority = authority
    }

    package var all: [CheckFinding] {
        if let uri, CertificateRedirectURI.isOne(uri) {
            return [CertificateRedirectURI(rules: rules).finding(on: uri)]
        }
        return [form, registration, broker, certificate].compactMap(\.self)
    }

    private var verified: RedirectURIRules.Judgement { rules.verify(uri) }

    private var accepted: RedirectURI? {
        guard case .accepted(let redirect) = verified else { return nil }
        return redirect
    }

    /// Whether the form is valid, and how the response returns.
    private var form: CheckFinding {
        switch verified {
        case .accepted(let redirect) where redirect.kind == .httpsLink:
            return CheckFinding(
                "Redirect URI", .warning,
                "\(Privacy.url(redirect.url.absoluteString)): the browser stays there and doesn't return to this computer.",
                fix:
                    "Register and use \(RedirectURIRules.loopbackURI)\(isRejected ? "" : ", or sign in with --method paste")."
            )
        case .accepted(let redirect):
            return CheckFinding(
                "Redirect URI", .passed,
                "\(Privacy.url(redirect.url.absoluteString)) (\(redirect.kind.remark)).")
        case .rejected(let rejection): return rejection.finding("Redirect URI")
        }
    }

    /// Whether `CFBundleURLTypes` registers the scheme.
    var registration: CheckFinding? {
        guard rules.registration.hasInfoPlist else { return nil }
        switch verified {
        case .accepted(let redirect) where redirect.kind == .customScheme:
            return CheckFinding(
                "Scheme in the Info.plist", .passed,
                "\(redirect.url.scheme ?? "") is listed in \(RedirectURIRejection.place).")
        case .rejected(let rejection) where rejection.reason == .schemeNotRegistered && !rejection.isUnencrypted:
            let known = rules.registration.urlSchemes
            let whole = known.first { $0.lowercased().hasPrefix(rejection.scheme.lowercased() + ":") }
            let action = whole.map { "Replace \($0) with \(rejection.scheme)" } ?? "Add \(rejection.scheme)"
            let fix = rejection.otherCase == nil ? "\(action) in \(RedirectURIRejection.place)." : nil
            return CheckFinding(
                "Scheme in the Info.plist", .failed,
                known.isEmpty ? "None is listed." : "It has \(known.joined(separator: ", ")).",
                fix: fix ?? "Write the scheme as in the Info.plist.")
        case .accepted, .rejected: return nil
        }
    }

    /// Whether this authority requires a redirect URI that brokers support.
    private var isRejected: Bool {
        guard let authority, case .rejected = rules.judge(uri, for: authority) else { return false }
        return true
    }

    /// Whether a broker supports the redirect URI, and whether the authority requires that.
    private var broker: CheckFinding? {
        guard let redirect = accepted, redirect.kind != .loopback else { return nil }
        let text = redirect.url.absoluteString
        if redirect.isBrokerCapable {
            return CheckFinding("Broker redirect", .passed, "Brokers and all authorities support it.")
        }
        let obstacle = obstacle(to: text)
        guard authority != nil else {
            return CheckFinding(
                "Broker redirect", .warning,
                "\(obstacle) So for work and school accounts, MSAL rejects this redirect URI (-42011).",
                fix: fixForBroker)
        }
        if isRejected {
            return CheckFinding(
                "Broker redirect", .failed, "\(obstacle) So MSAL rejects the URI at this authority (-42011).",
                fix: fixForBroker)
        }
        return CheckFinding("Broker redirect", .passed, "No broker supports it, but this authority needs none.")
    }

    /// Why a broker doesn't support the URI.
    private func obstacle(to text: String) -> String {
        let expected = RedirectURIRules.defaultURI(rules.registration.bundleIdentifier)
        if text.lowercased() == expected.lowercased() { return "It differs from \(expected) in letter case only." }
        return rules.brokerObstacle(text).map { $0.sentence(rules.registration.bundleIdentifier) } ?? ""
    }

    /// The second redirect URI, for a broker's sign-in with a certificate.
    private var certificate: CheckFinding? {
        guard let redirect = accepted, redirect.isBrokerCapable else { return nil }
        return CertificateRedirectURI(rules: rules).advice(for: redirect.url.absoluteString)
    }

    private var fixForBroker: String {
        let (proposal, loopback) = (
            RedirectURIRules.proposal(rules.registration.bundleIdentifier), RedirectURIRules.loopbackURI
        )
        return proposal == loopback ? "Use \(loopback)." : "Use \(proposal), or \(loopback) on Linux."
    }
}

extension RedirectURI.Kind {
    fileprivate var remark: String {
        switch self {
        case .customScheme: "once registered, the desktop opens it with the application"
        case .httpsLink: "a link that opens the application, without a registered scheme"
        case .loopback: "the program listens on this computer during a sign-in"
        }
    }
}

extension RedirectURIRejection.Reason {
    /// Why a broker doesn't support the URI.
    fileprivate func sentence(_ bundleIdentifier: String) -> String {
        switch self {
        case .httpScheme: "Brokers don't support web addresses."
        case .bundleIdentifierMismatch: "It belongs to an application other than \(bundleIdentifier)."
        case .authHostMissing: "The host must be auth."
        case .hostMissing: "The host is missing."
        case .outOfBand: "Out-of-band redirect URIs are no longer supported."
        case .blank, .hasFragment, .badPort, .schemeNotRegistered, .schemeMissing, .unknownFormat:
            "It has neither the form msauth.\(bundleIdentifier)://auth nor the host \(bundleIdentifier)."
        }
    }
}

extension RedirectURIRejection {
    /// The rejection with a URI that is safe to print.
    var disclosed: RedirectURIRejection {
        RedirectURIRejection(
            reason: reason, uri: Privacy.url(uri), scheme: Privacy.host(scheme), bundleIdentifier: bundleIdentifier,
            hasInfoPlist: hasInfoPlist, otherCase: otherCase.map(Privacy.url))
    }

    /// The finding about the URI.
    func finding(_ subject: String) -> CheckFinding {
        CheckFinding(subject, .failed, disclosed.explanation, fix: disclosed.nextStep)
    }
}
