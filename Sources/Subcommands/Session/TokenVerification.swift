import Diagnosis
import Foundation
import KeyturnSystem
import MSAL

/// Verifies a pasted token with the keys of its issuer and the checks of a sign-in.
struct TokenVerification: Sendable {
    private static let patience = 15

    let token: String
    /// The CA file for requests to the issuer; `nil` for the default.
    let certificateAuthorityFile: String?

    /// The verdicts, or one that says why the issuer can't be asked.
    func verdicts() async -> [MSALIDTokenVerdict] {
        guard let decoded = MSALDecodedToken(token) else { return [] }
        // Microsoft Graph changes the header of its tokens after signing.
        guard !decoded.header.contains(where: { $0.name == "nonce" }) else {
            return [Self.skipped("Only the resource can verify this token.")]
        }
        func claim(_ name: String) -> String? { decoded.claims.first { $0.name == name }?.text }
        guard let issuer = claim("iss").flatMap({ URL(string: $0) }) else {
            return [Self.skipped("The token names no issuer.")]
        }
        do {
            let application = try application(issuer, clientID: claim("aud").flatMap { $0.isEmpty ? nil : $0 } ?? "-")
            let verdicts = try await value(within: .seconds(Self.patience)) { [token] in
                try await application.verdicts(onIDToken: token)
            }
            return verdicts ?? [Self.skipped("No response from the issuer in \(Self.patience) seconds.")]
        } catch {
            return [Self.skipped("Can't request the issuer's keys. \(Failure(reporting: error).reason)")]
        }
    }

    private func application(_ issuer: URL, clientID: String) throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientID, redirectUri: "http://localhost", authority: try MSALOIDCAuthority(url: issuer))
        configuration.cacheConfig.isLookedAtOnly = true
        configuration.certificateAuthorityFile = certificateAuthorityFile
        return try MSALPublicClientApplication(configuration: configuration)
    }

    private static func skipped(_ reason: String) -> MSALIDTokenVerdict {
        MSALIDTokenVerdict(rule: "Signature", outcome: .skipped, explanation: reason)
    }

    func complete(_ explanation: Explanation) async -> Explanation {
        let findings = await verdicts().failedFirst.map { CheckFinding($0, fix: "Don't trust this token.") }
        var explanation = explanation
        guard findings.count > 1 else {
            explanation.findings += findings
            return explanation
        }
        // A sign-in's checks include those without keys.
        explanation.findings = findings
        let outcome = findings.worst == .failed ? "Verification failed." : "Verified with the issuer's keys."
        explanation.summary = explanation.summary.replacing("Not verified.", with: outcome)
        return explanation
    }
}
