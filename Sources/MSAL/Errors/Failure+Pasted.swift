import Foundation
import OAuthCore

/// Texts for an invalid pasted response.
extension Failure {
    static func pasted(_ reason: PastedResponse.Reason, _ redirectURI: URL) -> Failure {
        Failure(
            .internalErrorInvalidParameter, reason.explanation(redirectURI.absoluteString),
            headline: "The pasted text can't be used.",
            next: reason.nextStep(redirectURI.absoluteString))
    }
}

extension PastedResponse.Reason {
    fileprivate func explanation(_ redirectURI: String) -> String {
        switch self {
        case .nothing: "Nothing was pasted."
        case .tooLong(let limit): "The pasted text is longer than \(limit) bytes."
        case .authorizationRequest: "This is the URL of the sign-in page itself."
        case .anotherAddress: "Wrong URL: the URL to paste begins with \(redirectURI)."
        case .withoutResponse: "This URL has neither a code nor an error."
        case .token: "This is a token, not a sign-in response. Anyone who has it can act as its user."
        case .text: "This is neither a URL nor a code."
        case .withoutState(let error?):
            "The URL contains the error \"\(error.withoutControls.beginning(100))\", but not the state of this sign-in."
        case .withoutState(nil): "This URL has no state, so it can't be matched to this sign-in."
        case .otherSignIn: "This is the response to another sign-in."
        }
    }

    fileprivate func nextStep(_ redirectURI: String) -> String {
        let instruction = "Paste the final URL; it begins with \(redirectURI)."
        return switch self {
        case .authorizationRequest: "Open it in a browser and sign in. \(instruction)"
        case .anotherAddress: "Finish the sign-in, then paste the URL of the last page, even if it fails to load."
        case .token: "Keep it secret. \(instruction)"
        case .otherSignIn: "Open the current URL, not an earlier one."
        case .withoutState(.some): "Cancel, and sign in again. If it happens again, ask the authority's operator."
        case .nothing, .tooLong, .withoutResponse, .withoutState(nil), .text: instruction
        }
    }
}
