import Foundation
import OAuthCore

/// Explains an authorization request (RFC 6749 §4.1.1), parameter by parameter.
struct AuthorizationRequestExplanation {
    let explanation: Explanation

    init(_ text: String, _ parameters: Parameters) {
        let place = String(text.prefix { $0 != "?" && $0 != "#" })
        let rules = AuthorizationRequestFindings(endpoint: URL(string: place), parameters: parameters)
        let address = text.contains("?") ? [Explanation.Row("Sign-in page", place)] : []
        explanation = Explanation(
            .authorizationRequest,
            "An authorization request\(URL(string: place)?.host.map { " at \($0)" } ?? "").",
            sections: [.init(title: "Request", rows: address + parameters.pairs.map { Explanation.Row($0) })],
            findings: rules.all)
    }
}
