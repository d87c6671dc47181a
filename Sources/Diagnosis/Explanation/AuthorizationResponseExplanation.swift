import Foundation
import OAuthCore

/// What the address says that a browser came back with (RFC 6749 §4.1.2).
struct AuthorizationResponseExplanation {
    let explanation: Explanation

    init(_ text: String, _ parameters: Parameters) {
        let place = text.prefix { $0 != "?" && $0 != "#" }
        let answer = Answer(parameters)
        let address = text.contains("?") || text.contains("#") ? [Explanation.Row("Redirect URI", String(place))] : []
        explanation = Explanation(
            .authorizationResponse, answer.summary,
            sections: [
                .init(title: "The answer", rows: address + parameters.pairs.map { Explanation.Row($0) })
            ] + Self.errors(parameters), findings: answer.findings(isInFragment: text.contains("#")))
    }

    /// What is known of the error, its suberror and the numbers in its description.
    private static func errors(_ parameters: Parameters) -> [Explanation.Section] {
        let dictionary = ErrorDictionary.bundled
        let named = [
            parameters["error"].flatMap { dictionary.entry(.oauth, $0) },
            (parameters["suberror"] ?? parameters["error_subcode"]).flatMap { dictionary.entry(.suberror, $0) },
        ]
        let numbers = ErrorDictionary.codes(in: parameters["error_description"] ?? "")
            .map { dictionary.entry($0.kind, $0.number) }
        return (named + numbers).compactMap { $0.map { Explanation.Section($0) } }
    }

    private struct Answer {
        let parameters: Parameters

        init(_ parameters: Parameters) { self.parameters = parameters }

        private var hasTokens: Bool { parameters["access_token"] != nil || parameters["id_token"] != nil }

        var summary: String {
            if let error = parameters["error"] { return "The authority refused: \(error)." }
            if hasTokens { return "The authority gave tokens in the address itself." }
            return parameters["code"] == nil
                ? "An address at the redirect URI, without an answer."
                : "The authority said yes: the code can be redeemed once, within minutes."
        }

        func findings(isInFragment: Bool) -> [CheckFinding] {
            var findings: [CheckFinding] = []
            if let repeated = parameters.firstRepeatedName {
                findings.append(
                    .init(
                        repeated, .wrong, "It stands there twice, which is forbidden (RFC 6749 §3.1).",
                        fix: "Do not trust this address; start the sign-in again."))
            }
            if parameters["code"]?.isEmpty ?? (parameters["error"] == nil && !hasTokens) {
                findings.append(
                    .init(
                        "code", .wrong, "There is neither a code nor an error.",
                        fix: "Copy the whole address that the browser ended on."))
            }
            if parameters["code"] != nil, parameters["error"] != nil {
                findings.append(
                    .init(
                        "error", .wrong, "There is a code and an error.",
                        fix: "Do not trust this address; start the sign-in again."))
            }
            if parameters["state"]?.isEmpty ?? true {
                findings.append(
                    .init(
                        "state", .wrong, "Nothing says which sign-in this answers, so it is refused (-42501).",
                        fix: "Send state with the request; the authority has to give it back."))
            }
            if hasTokens {
                findings.append(
                    .init(
                        "response_type", .attention,
                        "Tokens in an address end up in histories and logs (RFC 9700 §2.1.2).",
                        fix: "Ask for a code (response_type=code)."))
            }
            if isInFragment, !hasTokens {
                findings.append(
                    .init(
                        "response_mode", .attention,
                        "The answer is in the fragment, which a listener on this computer does not get to see.",
                        fix: "Ask for response_mode=query, or paste the address."))
            }
            return findings
        }
    }
}
