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
        self.uri = uri
        self.rules = rules.built(for: uri)
        self.authority = authority
        isForApple = isOther && rules.registration.isForApple
    }

    package var all: [CheckFinding] {
        if (uri ?? "").allSatisfy(\.isWhitespace), rules.registration.hasBuildSetting { return ofSource }
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
        case .accepted(let redirect) where redirect.kind == .loopback && isForApple:
            return CheckFinding(
                "Redirect URI", .failed,
                "\(Privacy.url(redirect.url.absoluteString)): MSAL for iOS and macOS rejects it (-42001).",
                fix: "Use \(RedirectURIRules.proposal(rules.registration.bundleIdentifier)).")
        case .accepted(let redirect) where redirect.kind == .httpsLink && isForApple:
            return CheckFinding(
                "Redirect URI", .passed,
                "\(Privacy.url(redirect.url.absoluteString)) (\(redirect.kind.remark(isForApple))).")
        case .accepted(let redirect) where redirect.kind == .httpsLink:
            return CheckFinding(
                "Redirect URI", .warning,
                "\(Privacy.url(redirect.url.absoluteString)): the browser stays there and doesn't return to this computer.",
                fix:
                    "Register and use \(RedirectURIRules.loopbackURI)\(isRejected ? "" : ", or paste the final URL at each sign-in (--method paste)")."
            )
        case .accepted(let redirect):
            return CheckFinding(
                "Redirect URI", .passed,
                "\(Privacy.url(redirect.url.absoluteString)) (\(redirect.kind.remark(isForApple))).")
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
            return CheckFinding(
                "Scheme in the Info.plist", .passed,
                "\(redirect.url.scheme ?? "") is listed in \(RedirectURIRejection.place).")
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
        let known = rules.registration.urlSchemes.map(Self.shown)
        return CheckFinding(
            "Scheme in the Info.plist", .failed,
            known.isEmpty ? "None is listed." : "It has \(known.joined(separator: ", ")).", fix: fix)
    }

    /// Whether a listed text is probably meant to be the scheme: a whole URI, `msauth` alone, or a text with blanks or a
    /// placeholder.
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
            CheckFinding(
                "Redirect URI", .passed, "\(scheme)://auth, with the bundle identifier of the built application."),
            isListed
                ? CheckFinding(
                    "Scheme in the Info.plist", .passed, "\(scheme) is listed in \(RedirectURIRejection.place).")
                : unregistered(scheme),
        ]
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
        switch rules.difference(of: text) {
        case .letterCase: return "It differs from \(expected) in letter case only."
        case .some(let difference): return "It has \(difference.words)."
        case nil: break
        }
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
        if isForApple { return "Use \(proposal)." }
        return proposal == loopback ? "Use \(loopback)." : "Use \(proposal), or \(loopback) on Linux."
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
    /// The rejection with a URI that is safe to print.
    var disclosed: RedirectURIRejection {
        var disclosed = RedirectURIRejection(
            reason: reason, uri: Privacy.url(uri), scheme: Privacy.host(scheme), bundleIdentifier: bundleIdentifier,
            hasInfoPlist: hasInfoPlist, nearMiss: nearMiss.map(\.disclosed))
        disclosed.offersLoopback = offersLoopback
        return disclosed
    }

    /// The finding about the URI.
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
    /// The difference with texts that are safe to print.
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
