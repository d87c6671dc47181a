import Foundation
import OAuthCore

/// What the rules say of a redirect URI, rule by rule, with what puts it right (docs/upstream-behaviour.md §1).
package struct RedirectURIFindings: Sendable, Equatable {
    package var rules: RedirectURIRules
    /// As it is configured; the default one when it is `nil` or blank.
    package var uri: String?
    /// Whose rules on brokers hold; `nil` when it is not known, so that both cases are told.
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

    /// Whether it is one, and how an answer comes back to it.
    private var form: CheckFinding {
        switch verified {
        case .accepted(let redirect) where redirect.way == .httpsLink:
            return CheckFinding(
                "Redirect URI", .attention,
                "\(redirect.url.absoluteString): the browser ends there, and does not come back to this computer.",
                fix: "Register and use \(RedirectURIRules.loopbackURI), or sign in with --way paste.")
        case .accepted(let redirect):
            return CheckFinding("Redirect URI", .good, "\(redirect.url.absoluteString): \(redirect.way.sentence)")
        case .rejected(let rejection):
            return CheckFinding("Redirect URI", .wrong, rejection.explanation, fix: rejection.nextStep)
        }
    }

    /// Whether the system gives addresses of its scheme to the application: `CFBundleURLTypes`.
    private var registration: CheckFinding? {
        guard rules.registration.hasInfoPlist else { return nil }
        switch verified {
        case .accepted(let redirect) where redirect.way == .customScheme:
            return CheckFinding(
                "Scheme in the Info.plist", .good,
                "\(redirect.url.scheme ?? "") stands under \(RedirectURIRejection.place).")
        case .rejected(let rejection) where rejection.reason == .schemeNotRegistered:
            let known = rules.registration.urlSchemes
            let fix = rejection.otherCase == nil ? "Add \(rejection.scheme) under \(RedirectURIRejection.place)." : nil
            return CheckFinding(
                "Scheme in the Info.plist", .wrong,
                known.isEmpty ? "It registers no scheme." : "It registers \(known.joined(separator: ", ")).",
                fix: fix ?? "Write the scheme as it is registered.")
        case .accepted, .rejected: return nil
        }
    }

    /// Whether a broker can answer to it, and whether the authority insists on that.
    private var broker: CheckFinding? {
        guard let redirect = accepted, redirect.way != .loopback else { return nil }
        let text = redirect.url.absoluteString
        if redirect.isBrokerCapable {
            return CheckFinding("Broker redirect", .good, "A broker can answer to it, so every authority takes it.")
        }
        let obstacle = obstacle(to: text)
        guard let authority else {
            return CheckFinding(
                "Broker redirect", .attention,
                "Authorities for work and school accounts refuse it (-42011); those for personal accounts, B2C and "
                    + "others take it. \(obstacle)", fix: fixForBroker)
        }
        if case .rejected = rules.judge(uri, for: authority) {
            return CheckFinding(
                "Broker redirect", .wrong, "This authority refuses it (-42011). \(obstacle)", fix: fixForBroker)
        }
        return CheckFinding("Broker redirect", .good, "No broker can answer to it, and this authority needs none.")
    }

    /// Why a broker cannot answer to the URI.
    private func obstacle(to text: String) -> String {
        let expected = RedirectURIRules.defaultURI(rules.registration.bundleIdentifier)
        if text.lowercased() == expected.lowercased() { return "It differs from \(expected) in letter case only." }
        return rules.brokerObstacle(text).map { $0.sentence(rules.registration.bundleIdentifier) } ?? ""
    }

    /// The second URI that brokers need for sign-in with a certificate.
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

extension RedirectURI.Way {
    fileprivate var sentence: String {
        switch self {
        case .customScheme: "the desktop hands addresses of this scheme to the application."
        case .httpsLink: "a link that the application is opened with; no scheme has to be registered."
        case .loopback: "the program itself listens on this computer while a sign-in waits."
        }
    }
}

extension RedirectURIRejection.Reason {
    /// Why a broker cannot answer.
    fileprivate func sentence(_ bundleIdentifier: String) -> String {
        switch self {
        case .httpScheme: "A broker cannot answer to a web address."
        case .bundleIdentifierMismatch: "It is of another application than \(bundleIdentifier)."
        case .authHostMissing: "Its host would have to be auth."
        case .hostMissing: "It has no host."
        case .outOfBand: "Out-of-band addresses are no longer supported."
        case .blank, .hasFragment, .badPort, .schemeNotRegistered, .schemeMissing, .unknownFormat:
            "It has neither the form msauth.\(bundleIdentifier)://auth nor the host \(bundleIdentifier)."
        }
    }
}
