import Foundation
import OAuthCore

/// What the address of a sign-in page asks for (RFC 6749 §4.1.1), parameter by parameter, and what is wrong with it.
struct AuthorizationRequestExplanation {
    let explanation: Explanation

    init(_ text: String, _ parameters: Parameters) {
        let place = String(text.prefix { $0 != "?" && $0 != "#" })
        let rules = AuthorizationRequestFindings(endpoint: URL(string: place), parameters: parameters)
        let address = text.contains("?") ? [Explanation.Row("Sign-in page", place)] : []
        explanation = Explanation(
            .authorizationRequest,
            "The address of a sign-in page\(URL(string: place)?.host.map { " at \($0)" } ?? "").",
            sections: [.init(title: "The request", rows: address + parameters.pairs.map { Explanation.Row($0) })],
            findings: rules.all)
    }
}
