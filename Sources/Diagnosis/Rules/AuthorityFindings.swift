import Foundation
import MSAL
import OAuthCore

/// Findings about an authority: reachability, issuer, keys, encryption and clock.
package struct AuthorityFindings: Sendable {
    package var probe: MSALAuthorityProbe
    private let hasIssuedRefreshToken: Bool

    /// - Parameter hasIssuedRefreshToken: whether the cache has a refresh token of this authority.
    package init(_ probe: MSALAuthorityProbe, hasIssuedRefreshToken: Bool = false) {
        (self.probe, self.hasIssuedRefreshToken) = (probe, hasIssuedRefreshToken)
    }

    package var all: [CheckFinding] {
        let (hasIssuer, endpoints) = (probe.issuer != nil, probe.unusableEndpoints.joined(separator: ", "))
        return [
            reach, issuer, encryption, keys,
            CheckFinding("s256-not-listed", if: probe.codeChallengeMethods?.contains("S256") == false),
            CheckFinding(probe.offersDeviceCode ? "device-codes" : "no-device-codes", if: hasIssuer),
            CheckFinding("no-refresh-token", if: hasIssuer && !probe.requestsRefreshToken && !hasIssuedRefreshToken),
            CheckFinding("endpoints-invalid", endpoints, if: !endpoints.isEmpty), clock,
        ].compactMap(\.self)
    }

    /// The issuer and every finding other than passed.
    package var brief: [CheckFinding] { all.filter { $0.verdict != .passed || $0 == issuer } }

    private var reach: CheckFinding {
        guard let failure = probe.failure else {
            return CheckFinding(named: "authority-responds", probe.url.absoluteString)
        }
        var finding = CheckFinding(
            "Authority", .failed, failure.localizedDescription,
            fix: failure.localizedRecoverySuggestion ?? "Check the URL.")
        finding.failure = Failure(failure)
        return finding
    }

    private var issuer: CheckFinding? { probe.issuer.map { CheckFinding(named: "issuer-found", $0) } }

    private var encryption: CheckFinding? {
        if probe.url.scheme == "http" {
            return CheckFinding("Encryption", .warning, "Not encrypted (http), which is allowed only on this computer.")
        }
        return isUntrusted
            ? Self.untrustedCertificate : CheckFinding("authority-encrypted", if: probe.authorityDate != nil)
    }

    /// The finding that a CA file can fix.
    package static let untrustedCertificate = CheckFinding(named: "certificate-untrusted")

    private var isUntrusted: Bool {
        let cause = probe.failure?.userInfo[NSUnderlyingErrorKey] as? NSError
        return cause?.domain == NSURLErrorDomain && cause?.code == NSURLErrorServerCertificateUntrusted
    }

    private var keys: CheckFinding? {
        guard let count = probe.signingKeyCount else { return CheckFinding("no-id-tokens", if: probe.failure == nil) }
        return count > 0
            ? CheckFinding(named: "signing-keys", count == 1 ? "1 key" : "\(count) keys")
            : CheckFinding(named: "no-signing-key")
    }

    /// The clock difference, in seconds, that is too small to report.
    private static let harmlessSkew = 60.0

    private var clock: CheckFinding? {
        guard let authorityDate = probe.authorityDate else {
            return CheckFinding("clock-without-date", if: probe.failure == nil)
        }
        // The header has whole seconds.
        let skew = probe.localDate.timeIntervalSince(authorityDate).rounded()
        guard abs(skew) > Self.harmlessSkew else { return CheckFinding(named: "clock-in-time") }
        let (side, real, seeming) = skew > 0 ? ("ahead of", "valid", "expired") : ("behind", "expired", "valid")
        return CheckFinding(
            named: "clock-differs", Self.words(abs(skew)), side, real, seeming, TransportFailure.clockRemedy)
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

extension CheckFinding {
    /// Whether requests to an authority use a proxy.
    package static func proxy(in environment: [String: String], for authority: URL) -> CheckFinding {
        guard let proxy = ProxyChoice(in: environment), !authority.isLoopback else {
            return CheckFinding(named: "proxy-none")
        }
        let variable = "$\(proxy.variable)"
        guard proxy.serves(authority) else {
            return CheckFinding(named: "proxy-excluded", variable, authority.host ?? "the host")
        }
        guard let url = proxy.url else { return CheckFinding(named: "proxy-invalid", variable) }
        let credentials = url.user == nil ? "" : " with its own credentials"
        return CheckFinding(named: "proxy-used", proxy.shown, variable, credentials)
    }
}
