import Foundation
import MSAL
import OAuthCore

/// Explains an authorization response (RFC 6749 §4.1.2).
struct AuthorizationResponseExplanation {
    let explanation: Explanation

    init(_ text: String, _ parameters: Parameters, _ rules: RedirectURIRules) {
        let place = text.prefix { $0 != "?" && $0 != "#" }
        let content = Content(parameters)
        let address =
            text.contains("?") || text.contains("#")
            ? [Explanation.Row("Redirect URI", Privacy.url(String(place)))] : []
        // The user names the application by its Info.plist.
        let registration =
            address.isEmpty ? nil : RedirectURIFindings(String(place), rules: rules).registration
        let causes = parameters["error"] == nil ? [] : CauseRules.causes(in: text)
        let problems = content.findings(isInFragment: text.contains("#"))
        var explanation = Explanation(
            .authorizationResponse, causes.first.map { "\(content.summary) \($0.headline)" } ?? content.summary,
            sections: [
                .init(title: "Response", rows: address + parameters.pairs.map { Explanation.Row($0) })
            ] + ErrorDictionary.sections(of: parameters),
            findings: problems.filter { $0.verdict == .failed }
                + causes.enumerated().map { $1.finding(isFirst: $0 == 0) }
                + problems.filter { $0.verdict != .failed } + [registration].compactMap(\.self))
        explanation.cause = causes.first?.id
        self.explanation = explanation
    }

    private struct Content {
        let parameters: Parameters

        init(_ parameters: Parameters) { self.parameters = parameters }

        private var hasTokens: Bool { parameters["access_token"] != nil || parameters["id_token"] != nil }

        var summary: String {
            if let error = parameters["error"] {
                return "The authority returned an error: \(Privacy.text(error, of: "error", for: .explanation))."
            }
            if hasTokens { return "The authority returned tokens in the URL." }
            return parameters["code"] == nil
                ? "A redirect URI without a response."
                : "The authority issued a code. It works once, within minutes."
        }

        func findings(isInFragment: Bool) -> [CheckFinding] {
            var findings: [CheckFinding] = []
            if let repeated = parameters.firstRepeatedName {
                findings.append(
                    .init(
                        Privacy.name(repeated), .failed, "Repeated, which RFC 6749 §3.1 forbids.",
                        fix: "Don't trust this URL. Start the sign-in again."))
            }
            if parameters["code"]?.isEmpty ?? (parameters["error"] == nil && !hasTokens) {
                findings.append(
                    .init(
                        "code", .failed, "Neither a code nor an error.",
                        fix: "Copy the whole URL from the browser."))
            }
            if parameters["code"] != nil, parameters["error"] != nil {
                findings.append(
                    .init(
                        "error", .failed, "Both a code and an error.",
                        fix: "Don't trust this URL. Start the sign-in again."))
            }
            if parameters["state"]?.isEmpty ?? true {
                findings.append(
                    .init(
                        // A provider's own error page has none.
                        "state", parameters["error"] == nil ? .failed : .warning,
                        "Missing, so MSAL rejects the response (-42501).",
                        fix: "Send state with the request. The authority must return it."))
            }
            if hasTokens {
                findings.append(
                    .init(
                        "response_type", .warning,
                        "Tokens in a URL end up in histories and logs (RFC 9700 §2.1.2).",
                        fix: "Request a code (response_type=code)."))
            }
            if isInFragment, !hasTokens {
                findings.append(
                    .init(
                        "response_mode", .warning,
                        "The response is in the fragment, which a listener on this computer can't see.",
                        fix: "Request response_mode=query, or paste the URL."))
            }
            return findings
        }
    }
}
