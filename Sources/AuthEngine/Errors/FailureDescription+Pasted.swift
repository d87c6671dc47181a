import Foundation
import OAuthCore

/// Texts for an invalid pasted response.
extension FailureDescription {
    static func pasted(_ reason: PastedResponse.Reason, _ redirectURI: URL) -> FailureDescription {
        FailureDescription(
            .internalErrorInvalidParameter, reason.explanation(redirectURI.absoluteString),
            next: reason.nextStep(redirectURI.absoluteString))
    }
}

extension PastedResponse.Reason {
    fileprivate func explanation(_ redirectURI: String) -> String {
        switch self {
        case .nothing: "Nothing was pasted."
        case .tooLong(let limit): "What was pasted is longer than \(limit) bytes; no answer is."
        case .authorizationRequest: "This is the address of the sign-in page itself."
        case .anotherAddress(let host):
            "This address is \(host.map { "of \($0)" } ?? "another one"); the answer's begins with \(redirectURI)."
        case .withoutAnswer: "This address carries neither a code nor an error."
        case .token: "This is a token, not the answer of a sign-in. Whoever has it can act as its owner."
        case .text: "This is neither an address nor a code."
        case .otherSignIn: "This is the answer to another sign-in."
        }
    }

    fileprivate func nextStep(_ redirectURI: String) -> String {
        let end = "Paste the address that the browser ends on; it begins with \(redirectURI)."
        return switch self {
        case .authorizationRequest: "Open it in a browser and sign in. \(end)"
        case .anotherAddress: "Sign in to the end: the last page may fail to load, but its address is the answer."
        case .token: "Keep it to yourself. \(end)"
        case .otherSignIn: "Open the address that is shown now, not an earlier one."
        case .nothing, .tooLong, .withoutAnswer, .text: end
        }
    }
}
