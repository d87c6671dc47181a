import Foundation
import MSAL
import OAuthCore

/// Explains an authorization response (RFC 6749 §4.1.2).
extension Explanation {
    init(authorizationResponse text: String, _ parameters: Parameters, _ rules: RedirectURIRules) {
        let place = text.prefix { $0 != "?" && $0 != "#" }
        let content = Content(parameters)
        let address = text.contains("?") || text.contains("#") ? [Row("Redirect URI", Privacy.url(String(place)))] : []
        // The user names the application by its Info.plist.
        let registration = address.isEmpty ? nil : RedirectURIFindings(String(place), rules: rules).registration
        let causes = parameters["error"] == nil ? [] : CauseRules.causes(in: text)
        let problems = content.findings(isInFragment: text.contains("#"))
        self.init(
            .authorizationResponse, causes.first.map { "\(content.summary) \($0.headline)" } ?? content.summary,
            sections: [.init(title: "Response", rows: address + parameters.pairs.map { Row($0) })]
                + ErrorDictionary.sections(of: parameters),
            findings: problems.filter { $0.verdict == .failed }
                + causes.enumerated().map { $1.finding(isFirst: $0 == 0) }
                + problems.filter { $0.verdict != .failed } + [registration].compactMap(\.self))
        cause = causes.first?.id
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
                ? "A redirect URI without a response." : "The authority issued a code. It works once, within minutes."
        }

        func findings(isInFragment: Bool) -> [CheckFinding] {
            let (code, error) = (parameters["code"], parameters["error"])
            return [
                parameters.firstRepeatedName.map { CheckFinding(named: "response-repeated", Privacy.name($0)) },
                CheckFinding("response-empty", if: code?.isEmpty ?? (error == nil && !hasTokens)),
                CheckFinding("response-code-and-error", if: code != nil && error != nil),
                // A provider's own error page has none.
                CheckFinding(
                    "response-without-state", if: parameters["state"]?.isEmpty ?? true,
                    verdict: error == nil ? .failed : .warning),
                CheckFinding("response-type-with-tokens", if: hasTokens),
                CheckFinding("response-in-fragment-here", if: isInFragment && !hasTokens),
            ].compactMap(\.self)
        }
    }
}
