import Console
import Diagnosis
import Foundation
import MSAL

/// Asks an authority what it publishes about itself, before anything is saved.
struct AuthorityQuestion {
    let draft: ProfileDraft

    func findings() async -> [CheckFinding] {
        do {
            return Self.findings(of: try await DraftRules(draft: draft).applicationToAsk().authorityMetadata())
        } catch {
            return [CheckFinding("Authority", failure: error)]
        }
    }

    static func findings(of metadata: MSALAuthorityMetadata) -> [CheckFinding] {
        let methods = metadata.codeChallengeMethods
        let hasChallenge = methods?.contains("S256") ?? true
        return [
            CheckFinding("Issuer", .good, "It answers, as \(metadata.issuer)."),
            metadata.deviceAuthorizationEndpoint == nil
                ? CheckFinding("Device code", .attention, "It offers no codes for other devices.")
                : CheckFinding("Device code", .good, "It offers codes for other devices."),
            hasChallenge
                ? nil
                : CheckFinding("PKCE", .attention, "It does not say that it knows S256, which is always used."),
        ].compactMap(\.self)
    }
}
