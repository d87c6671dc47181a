import Foundation
import OAuthCore

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

    /// The finding if it is configured as the redirect URI.
    func finding(on uri: String) -> CheckFinding {
        let subject = "Certificate redirect URI"
        let expected = Self.text(for: RedirectURIRules.defaultURI(rules.registration.bundleIdentifier))
        let fix = "Register \(expected)\(place)."
        let inner = String(uri.trimmingCharacters(in: .whitespaces).dropFirst(Self.start.count + 1))
        guard !inner.isEmpty else {
            return CheckFinding(
                subject, .failed, "The broker's redirect URI is missing after \(Self.start)/.", fix: fix)
        }
        let broker = inner.removingPercentEncoding ?? inner
        guard !inner.contains("/"), Self.text(for: broker).lowercased() == "\(Self.start)/\(inner)".lowercased() else {
            return CheckFinding(
                subject, .failed, "The broker's redirect URI isn't percent-encoded: \(inner).", fix: fix)
        }
        let bundle = broker.prefix { $0 != ":" }.dropFirst("msauth.".count)
        if !rules.registration.hasInfoPlist, broker == RedirectURIRules.defaultURI(String(bundle)) {
            return CheckFinding(
                subject, .passed,
                "The form is right: on iOS, a broker's sign-in with a certificate needs it beside \(broker). "
                    + "\(Self.scheme) must be listed under \(RedirectURIRejection.place).")
        }
        guard rules.brokerObstacle(broker) == nil else {
            return CheckFinding(
                subject, .failed,
                "\(broker) isn't a broker's redirect URI for \(rules.registration.bundleIdentifier).", fix: fix)
        }
        guard isSchemeRegistered else {
            return CheckFinding(subject, .failed, "The scheme \(Self.scheme) isn't registered.", fix: fix)
        }
        return CheckFinding(
            subject, .passed,
            "For a broker's sign-in with a certificate, in addition to \(broker). Not used on Linux.")
    }

    /// The advice for a broker's redirect URI.
    func advice(for brokerURI: String) -> CheckFinding {
        let wanted = Self.text(for: brokerURI)
        if isSchemeRegistered {
            return CheckFinding(
                "Certificate redirect URI", .passed,
                "\(Self.scheme) is registered. Register \(wanted) with the authority too.")
        }
        return CheckFinding(
            "Certificate redirect URI", .skipped,
            "On iOS, a broker's sign-in with a certificate needs a second redirect URI: \(wanted).",
            fix: "Register it with the authority\(place).")
    }

    private var place: String {
        rules.registration.hasInfoPlist ? ", and \(Self.scheme) under \(RedirectURIRejection.place)" : ""
    }

    private var isSchemeRegistered: Bool { rules.registration.urlSchemes.contains(Self.scheme) }
}
