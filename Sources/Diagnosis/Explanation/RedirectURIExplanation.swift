import Foundation
import OAuthCore

/// What the rules say of a redirect URI.
struct RedirectURIExplanation {
    let explanation: Explanation

    init(_ text: String, _ rules: RedirectURIRules) {
        let findings = RedirectURIFindings(text, rules: rules).all
        let isRefused = findings.worst == .wrong
        explanation = Explanation(
            .redirectURI,
            "\(isRefused ? "A redirect URI that cannot be used" : "A redirect URI") by the application "
                + "\(rules.registration.bundleIdentifier).",
            findings: findings)
    }
}
