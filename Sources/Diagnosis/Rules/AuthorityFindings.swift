import Foundation
import MSAL

/// Findings about an authority: reachability, issuer, keys, encryption and clock.
package struct AuthorityFindings: Sendable {
    /// The clock difference, in seconds, that is too small to report.
    static let harmlessSkew = 60.0

    package var probe: MSALAuthorityProbe

    private let hasIssuedRefreshToken: Bool

    /// - Parameter hasIssuedRefreshToken: whether the cache has a refresh token of this authority.
    package init(_ probe: MSALAuthorityProbe, hasIssuedRefreshToken: Bool = false) {
        self.probe = probe
        self.hasIssuedRefreshToken = hasIssuedRefreshToken
    }

    package var all: [CheckFinding] {
        [reach, issuer, encryption, keys, proofKey, deviceCode, refreshToken, endpoints, clock].compactMap(\.self)
    }

    /// The issuer and every finding other than passed.
    package var brief: [CheckFinding] {
        all.filter { $0.verdict != .passed || $0 == issuer }
    }

    private var reach: CheckFinding {
        let address = probe.url.absoluteString
        guard let failure = probe.failure else {
            return CheckFinding("Authority", .passed, "\(address) responds.")
        }
        var finding = CheckFinding(
            "Authority", .failed, failure.localizedDescription,
            fix: failure.localizedRecoverySuggestion ?? "Check the URL.")
        finding.failure = Failure(failure)
        return finding
    }

    private var issuer: CheckFinding? {
        probe.issuer.map { CheckFinding("Issuer", .passed, "The issuer is \($0).") }
    }

    private var encryption: CheckFinding? {
        if probe.url.scheme == "http" {
            return CheckFinding(
                "Encryption", .warning, "Not encrypted (http), which is allowed only on this computer.")
        }
        if isUntrusted {
            return Self.untrustedCertificate
        }
        return probe.authorityDate == nil
            ? nil : CheckFinding("Encryption", .passed, "TLS 1.2 or later with a trusted certificate.")
    }

    /// The finding that a CA file can fix.
    package static let untrustedCertificate = CheckFinding(
        "Encryption", .failed, "The certificate isn't trusted.",
        fix: "Check the URL and the clock. Set your organisation's CA file in the profile (--ca-file).")

    private var isUntrusted: Bool {
        let cause = probe.failure?.userInfo[NSUnderlyingErrorKey] as? NSError
        return cause?.domain == NSURLErrorDomain && cause?.code == NSURLErrorServerCertificateUntrusted
    }

    private var keys: CheckFinding? {
        guard let count = probe.signingKeyCount else {
            guard probe.failure == nil else { return nil }
            return CheckFinding(
                "ID tokens", .skipped, "The server issues no ID tokens, so nothing proves who signs in.")
        }
        return count > 0
            ? CheckFinding("Signing keys", .passed, "\(count == 1 ? "1 key" : "\(count) keys") to verify ID tokens.")
            : CheckFinding(
                "Signing keys", .failed, "The authority publishes no key that can verify an ID token.",
                fix: "Tell the authority's operator.")
    }

    private var proofKey: CheckFinding? {
        guard let methods = probe.codeChallengeMethods, !methods.contains("S256") else { return nil }
        return CheckFinding(
            "PKCE", .warning, "The authority doesn't list S256 (RFC 7636), which every sign-in uses.",
            fix: "If a sign-in fails, ask the authority's operator.")
    }

    private var deviceCode: CheckFinding? {
        guard probe.issuer != nil else { return nil }
        return probe.offersDeviceCode
            ? CheckFinding("Device codes", .passed, "Supported.")
            : CheckFinding(
                "Device codes", .warning, "Device codes aren't supported.",
                fix: "Sign in with the browser, or paste the final URL (--method paste).")
    }

    private var refreshToken: CheckFinding? {
        guard probe.issuer != nil, !probe.requestsRefreshToken, !hasIssuedRefreshToken else { return nil }
        return CheckFinding(
            "Refresh token", .warning, "The authority's scopes_supported doesn't list offline_access.",
            fix: "Sign in again when a token expires, or add \"offline_access\" to the profile's scopes to request it.")
    }

    private var endpoints: CheckFinding? {
        let names = probe.unusableEndpoints
        guard !names.isEmpty else { return nil }
        return CheckFinding(
            "Endpoints", .warning,
            "The metadata has an invalid URL: \(names.joined(separator: ", ")).",
            fix: "Ask the authority's operator for an https URL. Sign-ins that don't use it work.")
    }

    private var clock: CheckFinding? {
        guard let authorityDate = probe.authorityDate else {
            return probe.failure == nil
                ? CheckFinding("Clock", .skipped, "The authority's responses have no date.") : nil
        }
        // The header has whole seconds.
        let skew = probe.localDate.timeIntervalSince(authorityDate).rounded()
        guard abs(skew) > Self.harmlessSkew else {
            return CheckFinding("Clock", .passed, "Within a minute of the authority's clock.")
        }
        return CheckFinding(
            "Clock", .warning,
            "The clock is \(Self.words(abs(skew))) \(skew > 0 ? "ahead of" : "behind") the authority's: "
                + "\(skew > 0 ? "valid" : "expired") tokens look \(skew > 0 ? "expired" : "valid").",
            fix: TransportFailure.clockRemedy)
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
