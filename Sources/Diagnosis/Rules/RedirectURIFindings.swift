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
    /// Whether the application is one for iOS or macOS, which receives no response at http://localhost.
    private let isForApple: Bool

    /// - Parameter isOther: whether the registration is another application's, to which the rules of its system apply.
    package init(_ uri: String?, rules: RedirectURIRules, authority: Authority? = nil, isOther: Bool = false) {
        (self.uri, self.rules, self.authority) = (uri, rules.built(for: uri), authority)
        isForApple = isOther && rules.registration.isForApple
    }

    package var all: [CheckFinding] {
        if (uri ?? "").allSatisfy(\.isWhitespace), rules.registration.hasBuildSetting { return ofSource }
        if let uri, CertificateRedirectURI.isOne(uri) { return [CertificateRedirectURI(rules: rules).finding(on: uri)] }
        return [form, registration, broker, certificate].compactMap(\.self)
    }

    private var verified: RedirectURIRules.Judgement { rules.verify(uri) }

    private var accepted: RedirectURI? { if case .accepted(let redirect) = verified { redirect } else { nil } }

    /// Whether the form is valid, and how the response returns.
    private var form: CheckFinding {
        switch verified {
        case .accepted(let redirect):
            let shown = Privacy.url(redirect.url.absoluteString)
            switch redirect.kind {
            case .loopback where isForApple:
                return CheckFinding(
                    named: "redirect-uri-of-this-computer", shown,
                    RedirectURIRules.proposal(rules.registration.bundleIdentifier))
            case .httpsLink where !isForApple:
                return CheckFinding(
                    named: "redirect-uri-https", shown, RedirectURIRules.loopbackURI,
                    isRejected ? "" : ", or paste the final URL at each sign-in (--method paste)")
            case .loopback, .httpsLink, .customScheme:
                return CheckFinding(named: "redirect-uri-accepted", shown, redirect.kind.remark(isForApple))
            }
        case .rejected(var rejection):
            rejection.offersLoopback = !isForApple
            return rejection.finding("Redirect URI")
        }
    }

    /// Whether `CFBundleURLTypes` registers the scheme.
    var registration: CheckFinding? {
        guard rules.registration.hasInfoPlist else { return nil }
        switch verified {
        case .accepted(let redirect) where redirect.kind == .customScheme:
            return CheckFinding(named: "scheme-listed", redirect.url.scheme ?? "", RedirectURIRejection.place)
        case .rejected(let rejection) where rejection.reason == .schemeNotRegistered && !rejection.isUnencrypted:
            guard rejection.nearMiss?.isRegistered != true else {
                return unregistered(fix: "Write the scheme as in the Info.plist.")
            }
            return unregistered(
                rejection.nearMiss.map { _ in RedirectURIRules.defaultScheme(rules.registration.bundleIdentifier) }
                    ?? rejection.scheme)
        case .accepted, .rejected: return nil
        }
    }

    private func unregistered(_ scheme: String) -> CheckFinding {
        let wrong = rules.registration.urlSchemes.first { Self.means($0, scheme) }
        let action = wrong.map { "Replace \(Self.shown($0)) with \(scheme)" } ?? "Add \(scheme)"
        return unregistered(fix: "\(action) in \(RedirectURIRejection.place).")
    }

    private func unregistered(fix: String) -> CheckFinding {
        let known = rules.registration.urlSchemes.map(Self.shown).joined(separator: ", ")
        return CheckFinding(named: "scheme-not-listed", known.isEmpty ? "None is listed." : "It has \(known).", fix)
    }

    /// Whether a listed text is probably meant to be the scheme, for example a whole URI, `msauth` alone, or a placeholder.
    private static func means(_ listed: String, _ scheme: String) -> Bool {
        let (text, wanted) = (listed.trimmingCharacters(in: .whitespaces).lowercased(), scheme.lowercased())
        if text == wanted || text.hasPrefix(wanted + ":") { return true }
        guard wanted.hasPrefix("msauth.") else { return false }
        if case .placeholder? = RedirectURIMiss(of: text, from: scheme) { return true }
        return text == "msauth"
    }

    private static func shown(_ listed: String) -> String {
        listed.contains(where: \.isWhitespace) ? "\"\(listed)\"" : listed
    }

    /// The default URI of an application whose Info.plist has a build setting as bundle identifier.
    private var ofSource: [CheckFinding] {
        let scheme = RedirectURIRules.defaultScheme(rules.registration.bundleIdentifier)
        let isListed = rules.registration.urlSchemes.contains(scheme)
        return [
            CheckFinding(named: "redirect-uri-of-source", scheme),
            isListed ? CheckFinding(named: "scheme-listed", scheme, RedirectURIRejection.place) : unregistered(scheme),
        ]
    }

    /// Whether this authority requires a redirect URI that brokers support.
    private var isRejected: Bool {
        if let authority, case .rejected = rules.judge(uri, for: authority) { true } else { false }
    }

    /// Whether a broker supports the redirect URI, and whether the authority requires that.
    private var broker: CheckFinding? {
        guard let redirect = accepted, redirect.kind != .loopback else { return nil }
        if redirect.isBrokerCapable { return CheckFinding(named: "broker-redirect-supported") }
        guard authority == nil || isRejected else { return CheckFinding(named: "broker-redirect-not-needed") }
        return CheckFinding(
            named: authority == nil ? "broker-redirect-for-some" : "broker-redirect-rejected",
            obstacle(to: redirect.url.absoluteString), fixForBroker)
    }

    /// Why a broker doesn't support the URI.
    private func obstacle(to text: String) -> String {
        let expected = RedirectURIRules.defaultURI(rules.registration.bundleIdentifier)
        switch rules.difference(of: text) {
        case .letterCase: return "It differs from \(expected) in letter case only."
        case .some(let difference): return "It has \(difference.words)."
        case nil: break
        }
        return rules.brokerObstacle(text).map { $0.sentence(rules.registration.bundleIdentifier) } ?? ""
    }

    private var certificate: CheckFinding? {
        guard let redirect = accepted, redirect.isBrokerCapable else { return nil }
        return CertificateRedirectURI(rules: rules).advice(for: redirect.url.absoluteString)
    }

    private var fixForBroker: String {
        let loopback = RedirectURIRules.loopbackURI
        let proposal = RedirectURIRules.proposal(rules.registration.bundleIdentifier)
        return isForApple || proposal == loopback ? "Use \(proposal)." : "Use \(proposal), or \(loopback) on Linux."
    }
}

extension RedirectURI.Kind {
    fileprivate func remark(_ isForApple: Bool) -> String {
        switch self {
        case .customScheme where isForApple: "the system opens it with the application"
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
        case .blank, .hasFragment, .badPort, .schemeNotRegistered, .buildSetting, .schemeMissing, .unknownFormat:
            "It has neither the form msauth.\(bundleIdentifier)://auth nor the host \(bundleIdentifier)."
        }
    }
}

extension RedirectURIRejection {
    /// With a URI that is safe to print.
    var disclosed: RedirectURIRejection {
        var disclosed = RedirectURIRejection(
            reason: reason, uri: Privacy.url(uri), scheme: Privacy.host(scheme), bundleIdentifier: bundleIdentifier,
            hasInfoPlist: hasInfoPlist, nearMiss: nearMiss.map(\.disclosed))
        disclosed.offersLoopback = offersLoopback
        return disclosed
    }

    func finding(_ subject: String) -> CheckFinding {
        CheckFinding(subject, .failed, disclosed.explanation, fix: disclosed.nextStep)
    }
}

extension RedirectURIRejection.NearMiss {
    fileprivate var disclosed: RedirectURIRejection.NearMiss {
        RedirectURIRejection.NearMiss(
            difference: difference.disclosed, uri: Privacy.url(uri), isRegistered: isRegistered)
    }
}

extension RedirectURIMiss {
    /// With texts that are safe to print.
    fileprivate var disclosed: RedirectURIMiss {
        switch self {
        case .path: RedirectURIMiss.path("/\u{2026}")
        case .host(let host): RedirectURIMiss.host(Privacy.host(host))
        case .placeholder(let text):
            RedirectURIMiss.placeholder(
                Privacy.host(text.filter { !"<>{}$() ".contains($0) }) == Privacy.hidden ? Privacy.hidden : text)
        case .letterCase, .slash, .query, .port: self
        }
    }
}

/// `msauth://code/<broker redirect URI, percent-encoded>`: the redirect URI of a broker's sign-in with a certificate.
/// Register it in addition to the broker's redirect URI, with the authority and in the application.
struct CertificateRedirectURI {
    let rules: RedirectURIRules

    private static let scheme = "msauth"
    private static let start = "\(scheme)://code"

    /// Scheme and host decide (docs/upstream-behaviour.md §1.5).
    static func isOne(_ uri: String) -> Bool {
        let text = uri.trimmingCharacters(in: .whitespaces).lowercased()
        return text == start || text.hasPrefix("\(start)/") || text.hasPrefix("\(start)?")
    }

    static func text(for brokerURI: String) -> String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        return "\(start)/\(brokerURI.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")"
    }

    func finding(on uri: String) -> CheckFinding {
        let bundle = rules.registration.bundleIdentifier
        let expected = Self.text(for: RedirectURIRules.defaultURI(bundle))
        let inner = String(uri.trimmingCharacters(in: .whitespaces).dropFirst(Self.start.count + 1))
        guard !inner.isEmpty else { return CheckFinding(named: "certificate-uri-empty", expected, place) }
        let broker = inner.removingPercentEncoding ?? inner
        guard !inner.contains("/"), Self.text(for: broker).lowercased() == "\(Self.start)/\(inner)".lowercased() else {
            return CheckFinding(named: "certificate-uri-not-encoded", inner, expected, place)
        }
        let named = broker.prefix { $0 != ":" }.dropFirst("msauth.".count)
        if !rules.registration.hasInfoPlist, broker == RedirectURIRules.defaultURI(String(named)) {
            return CheckFinding(named: "certificate-uri-well-formed", broker, RedirectURIRejection.place)
        }
        guard rules.brokerObstacle(broker) == nil else {
            return CheckFinding(named: "certificate-uri-not-of-broker", broker, bundle, expected, place)
        }
        return isSchemeRegistered
            ? CheckFinding(named: "certificate-uri-in-order", broker)
            : CheckFinding(named: "certificate-scheme-missing", expected, place)
    }

    func advice(for brokerURI: String) -> CheckFinding {
        let wanted = Self.text(for: brokerURI)
        return isSchemeRegistered
            ? CheckFinding(named: "certificate-scheme-registered", Self.scheme, wanted)
            : CheckFinding(named: "certificate-uri-needed", wanted, place)
    }

    private var place: String {
        rules.registration.hasInfoPlist ? ", and \(Self.scheme) under \(RedirectURIRejection.place)" : ""
    }

    private var isSchemeRegistered: Bool { rules.registration.urlSchemes.contains(Self.scheme) }
}
