import AuthEngine
import Foundation

/// What an authority's answers say: whether it can be reached, who it is, its keys, the encryption, the clocks.
package struct AuthorityFindings: Sendable {
    /// Seconds by which clocks may differ before anybody need know.
    static let harmlessSkew = 60.0

    package var probe: MSALAuthorityProbe

    package init(_ probe: MSALAuthorityProbe) { self.probe = probe }

    package var all: [CheckFinding] {
        [reach, issuer, encryption, keys, proofKey, deviceCode, endpoints, clock].compactMap(\.self)
    }

    /// Who answers, and what is not as it should be.
    package var brief: [CheckFinding] {
        all.filter { $0.verdict != .good || $0 == issuer }
    }

    private var reach: CheckFinding {
        let address = probe.url.absoluteString
        guard let failure = probe.failure else {
            return CheckFinding("Authority", .good, "\(address) answers.")
        }
        return CheckFinding(
            "Authority", .wrong, failure.localizedDescription,
            fix: failure.localizedRecoverySuggestion ?? "Check the address.")
    }

    private var issuer: CheckFinding? {
        probe.issuer.map { CheckFinding("Issuer", .good, "It answers as \($0).") }
    }

    private var encryption: CheckFinding? {
        if probe.url.scheme == "http" {
            return CheckFinding("Encryption", .attention, "None: the authority is on this computer, by http.")
        }
        if isUntrusted {
            return Self.untrustedCertificate
        }
        return probe.authorityDate == nil
            ? nil : CheckFinding("Encryption", .good, "TLS 1.2 or later, with a certificate that this system trusts.")
    }

    /// The finding that a CA file would put right.
    package static let untrustedCertificate = CheckFinding(
        "Encryption", .wrong, "The certificate is not trusted.",
        fix: "Check the address and the clock; name your organisation's CA file (caFile, --ca-file).")

    private var isUntrusted: Bool {
        let cause = probe.failure?.userInfo[NSUnderlyingErrorKey] as? NSError
        return cause?.domain == NSURLErrorDomain && cause?.code == NSURLErrorServerCertificateUntrusted
    }

    private var keys: CheckFinding? {
        guard let count = probe.signingKeyCount else { return nil }
        return count > 0
            ? CheckFinding("Signing keys", .good, "\(count) that can verify ID tokens.")
            : CheckFinding(
                "Signing keys", .wrong, "The authority publishes none that can verify an ID token.",
                fix: "Ask whoever runs the authority.")
    }

    private var proofKey: CheckFinding? {
        guard let methods = probe.codeChallengeMethods, !methods.contains("S256") else { return nil }
        return CheckFinding(
            "PKCE", .attention, "The authority does not say that it knows S256 (RFC 7636), which is always used.",
            fix: "Ask whoever runs the authority, should it refuse a sign-in.")
    }

    private var deviceCode: CheckFinding? {
        guard probe.issuer != nil else { return nil }
        return probe.offersDeviceCode
            ? CheckFinding("Device codes", .good, "Offered.")
            : CheckFinding(
                "Device codes", .attention, "It offers no codes for other devices.",
                fix: "Use the browser, or paste the address (--way paste).")
    }

    private var endpoints: CheckFinding? {
        let names = probe.unusableEndpoints
        guard !names.isEmpty else { return nil }
        return CheckFinding(
            "Endpoints", .attention,
            "The discovery document has an address that cannot be used: \(names.joined(separator: ", ")).",
            fix: "Ask whoever runs the authority to name an https address there. Other sign-in methods work.")
    }

    private var clock: CheckFinding? {
        guard let authorityDate = probe.authorityDate else {
            return probe.failure == nil
                ? CheckFinding("Clock", .notChecked, "The authority's answers have no date.") : nil
        }
        // The header has whole seconds.
        let skew = probe.localDate.timeIntervalSince(authorityDate).rounded()
        guard abs(skew) > Self.harmlessSkew else {
            return CheckFinding("Clock", .good, "It agrees with the authority's, within a minute.")
        }
        return CheckFinding(
            "Clock", .attention,
            "It is \(Self.words(abs(skew))) \(skew > 0 ? "ahead of" : "behind") the authority's: tokens seem to end too "
                + (skew > 0 ? "early." : "late."), fix: "Set it by the network: timedatectl set-ntp true.")
    }

    private static func words(_ seconds: Double) -> String {
        let minutes = Int(seconds / 60)
        return switch minutes {
        case ..<120: "\(minutes) min"
        case ..<2880: "\(minutes / 60) hours"
        default: "\(minutes / 1440) days"
        }
    }
}
