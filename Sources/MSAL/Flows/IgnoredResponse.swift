import Foundation
import OAuthCore

/// An authorization response that a waiting sign-in ignored because its `state` doesn't match (RFC 6749 §10.12).
package struct IgnoredResponse: Sendable, Equatable {
    /// Whether the response has a `state`. Some authorities omit it from errors.
    package let hasState: Bool
    /// The OAuth error code, or `nil` for another response.
    package let error: String?

    /// Returns `nil` when the URL contains no authorization response.
    package init?(_ url: URL) {
        let parameters = AuthorizationResponse.parameters(of: url)
        let isError = parameters["error"]?.isEmpty == false
        guard isError || parameters["code"]?.isEmpty == false else { return nil }
        hasState = parameters["state"]?.isEmpty == false
        error = isError ? parameters["error"].map(Self.safe) : nil
    }

    /// The error code in the character set of RFC 6749 error codes. Other text isn't repeated, because anyone can send
    /// it.
    private static func safe(_ error: String) -> String {
        let isCode = error.utf8.count <= 40 && error.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        return isCode ? error : "unknown"
    }

    /// What arrived, why it was ignored, and the next step.
    package var explanation: String {
        let what = error.map { "the error \($0)" } ?? "a code"
        let why =
            hasState
            ? "its state is from another sign-in, perhaps not yours" : "it has no state, so it is perhaps not yours"
        let next =
            error == nil
            ? "If you opened an earlier URL, open the current one."
            : "If you declined in the browser, cancel here. Otherwise continue there."
        return "Ignored a response with \(what): \(why). Still waiting. \(next)"
    }
}
