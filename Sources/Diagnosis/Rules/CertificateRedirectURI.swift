import Foundation
import OAuthCore

/// `msauth://code/<broker redirect URI, percent-encoded>`: where a broker answers after a sign-in with a certificate.
/// The documents advise to register it beside the broker's redirect URI, with the authority and in the application.
struct CertificateRedirectURI {
    let rules: RedirectURIRules

    private static let scheme = "msauth"
    private static let start = "\(scheme)://code"

    /// Scheme and host decide, as upstream has it (docs/upstream-behaviour.md §1.5).
    static func isOne(_ uri: String) -> Bool {
        let text = uri.trimmingCharacters(in: .whitespaces).lowercased()
        return text == start || text.hasPrefix("\(start)/") || text.hasPrefix("\(start)?")
    }

    static func text(for brokerURI: String) -> String {
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        return "\(start)/\(brokerURI.addingPercentEncoding(withAllowedCharacters: unreserved) ?? "")"
    }

    /// Given as the redirect URI itself.
    func finding(on uri: String) -> CheckFinding {
        let subject = "Certificate redirect URI"
        let expected = Self.text(for: RedirectURIRules.defaultURI(rules.registration.bundleIdentifier))
        let fix = "Register \(expected)\(place)."
        let inner = String(uri.trimmingCharacters(in: .whitespaces).dropFirst(Self.start.count + 1))
        guard !inner.isEmpty else {
            return CheckFinding(subject, .wrong, "It lacks the broker's redirect URI behind \(Self.start)/.", fix: fix)
        }
        let broker = inner.removingPercentEncoding ?? inner
        guard !inner.contains("/"), Self.text(for: broker).lowercased() == "\(Self.start)/\(inner)".lowercased() else {
            return CheckFinding(
                subject, .wrong, "The broker's redirect URI in it is not percent-encoded: \(inner).", fix: fix)
        }
        guard rules.brokerObstacle(broker) == nil else {
            return CheckFinding(
                subject, .wrong,
                "\(broker), which stands in it, is no redirect URI of a broker for "
                    + "\(rules.registration.bundleIdentifier).", fix: fix)
        }
        guard isSchemeRegistered else {
            return CheckFinding(subject, .wrong, "The scheme \(Self.scheme) is not registered.", fix: fix)
        }
        return CheckFinding(
            subject, .good,
            "For sign-in with a certificate by a broker, beside \(broker). No sign-in here comes back to it.")
    }

    /// Beside a redirect URI that brokers answer to.
    func advice(for brokerURI: String) -> CheckFinding {
        let wanted = Self.text(for: brokerURI)
        if isSchemeRegistered {
            return CheckFinding(
                "Certificate redirect URI", .good,
                "\(Self.scheme) is registered. With the authority, \(wanted) has to be registered too.")
        }
        return CheckFinding(
            "Certificate redirect URI", .notChecked,
            "On iOS, sign-in with a certificate by a broker needs a second one: \(wanted).",
            fix: "Register it with the authority\(place).")
    }

    private var place: String {
        rules.registration.hasInfoPlist ? ", and \(Self.scheme) under \(RedirectURIRejection.place)" : ""
    }

    private var isSchemeRegistered: Bool { rules.registration.urlSchemes.contains(Self.scheme) }
}
