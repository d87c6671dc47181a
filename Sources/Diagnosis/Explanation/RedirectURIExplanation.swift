import Foundation
import OAuthCore

/// Explains a redirect URI.
struct RedirectURIExplanation {
    let explanation: Explanation

    init(_ text: String, _ rules: RedirectURIRules) {
        let findings = RedirectURIFindings(text, rules: rules).all
        let isRefused = findings.worst == .failed
        explanation = Explanation(
            .redirectURI,
            "\(isRefused ? "An invalid redirect URI" : "A redirect URI") for the application "
                + "\(rules.registration.bundleIdentifier).",
            findings: findings)
    }
}
