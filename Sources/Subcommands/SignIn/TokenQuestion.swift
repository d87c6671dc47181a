import Console
import Foundation
import MSAL
import TerminalUI

/// The question whether a server may have a token. Only the user's own line on a terminal is a yes.
extension TokenWish {
    /// The most questions of one request: a sign-in can find that another user has to agree, or a server that names other scopes.
    private static let mostQuestions = 3

    /// Runs a request, and asks the user what it needs.
    func agreeing<Value>(
        mayAsk: Bool, in surroundings: Surroundings, _ work: (TokenWish) async throws -> Value
    ) async throws -> Value {
        var wish = self
        for _ in 0..<(mayAsk && surroundings.canPrompt ? Self.mostQuestions : 0) {
            do {
                return try await work(wish)
            } catch let error as NSError {
                guard let agreement = Failure(error).agreement else { throw error }
                guard await agreement.isGiven(in: surroundings) else {
                    let address = Printable.sanitize(agreement.url.absoluteString)
                    throw Failure(.cancelled, name: "notAllowed", "Nothing was sent to \(address).", nextStep: "")
                }
                var destination = wish.destination ?? MSALTokenDestination(agreement.url)
                destination.agreement = agreement
                wish.destination = destination
            }
        }
        return try await work(wish)
    }

    /// Whether nobody decided that the server gets the token.
    static func isUndecided(_ error: any Error) -> Bool { (error as NSError).userInfo[MSALDestinationKey] != nil }
}

extension MSALTokenAgreement {
    fileprivate func isGiven(in surroundings: Surroundings) async -> Bool {
        surroundings.forgetTyped()
        surroundings.prompt(facts.joined(separator: "\n  ") + "\n\(Self.meaning) Allow it? [y/N] ")
        return ["y", "yes"].contains(await surroundings.typedLine()?.lowercased())
    }
}
