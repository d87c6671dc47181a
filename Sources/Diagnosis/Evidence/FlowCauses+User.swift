import Foundation

/// Causes that the user decides.
extension FlowCauses {
    @Sendable static func cancelled(_ evidence: Evidence) -> Cause? {
        let step = evidence.steps.first { $0.rejection?.error == "access_denied" }
        return step.map { step in
            // The authority's own reasons have the same code (RFC 6749 §4.1.2.1).
            let isUser =
                step.exchange.parameters["error_subcode"] == "cancel"
                || step.rejection?.text.contains(usersChoice.regex) == true
            return Cause(
                isUser ? "User" : "Access",
                isUser
                    ? "The user cancelled the sign-in or declined the permissions."
                    : "The user cancelled, or the authority denies this user or application the access.",
                fix: isUser
                    ? "Sign in again. If the user did not cancel, read the description in the response."
                    : "Read the description in the response. Without one, ask whether the user cancelled, and read the authority's log.",
                at: step.exchange.number)
        }
    }

    private static let usersChoice = Pattern(
        #/(?i)cancel|declin|(user|owner)\b.{0,20}\b(denied|refused|rejected|did not (consent|authorize))/#)
}
