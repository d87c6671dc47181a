import Console
import Foundation
import MSAL
import TerminalUI

/// The question whether a server may have a token. Only the user's own line on a terminal is a yes.
extension Demand {
    /// The most questions of one request: a sign-in can find that another user has to agree, or a server that names other scopes.
    private static let mostQuestions = 3

    /// Runs a request, and asks the user what it needs.
    func agreeing<Value>(
        mayAsk: Bool, in surroundings: Surroundings, _ work: (Demand) async throws -> Value
    ) async throws -> Value {
        var demand = self
        for _ in 0..<(mayAsk && surroundings.canPrompt ? Self.mostQuestions : 0) {
            do {
                return try await work(demand)
            } catch let error as NSError {
                guard let agreement = Failure(error).agreement else { throw error }
                guard try await agreement.isGiven(in: surroundings) else {
                    let address = Printable.sanitize(agreement.url.absoluteString)
                    throw Failure(
                        .cancelled, name: "notAllowed", "You didn't allow \(address) this token. \(agreement.sent)",
                        nextStep: "")
                }
                var destination = demand.destination ?? MSALTokenDestination(agreement.url)
                destination.agreement = agreement
                demand.destination = destination
            }
        }
        return try await work(demand)
    }

    /// Whether nobody decided that the server gets the token.
    static func isUndecided(_ error: any Error) -> Bool { (error as NSError).userInfo[MSALDestinationKey] != nil }
}

extension MSALTokenAgreement {
    fileprivate func isGiven(in surroundings: Surroundings) async throws(Failure) -> Bool {
        let question = facts.joined(separator: "\n  ") + "\n\(Self.meaning) Allow it? [y/N] "
        // As on the screen: who can't see all of it can't agree to it.
        if let window = surroundings.errors.window,
            TextFitting.wrap(question, to: window.width).count > window.height
        {
            throw Failure(
                .interactionRequired, name: "questionTooLong",
                "The question whether \(Printable.sanitize(url.origin)) may have a token doesn't fit on the terminal. \(sent)",
                nextStep: "Enlarge the terminal, and run the command again.")
        }
        surroundings.forgetTyped()
        surroundings.prompt(question)
        return ["y", "yes"].contains(await surroundings.typedLine()?.lowercased())
    }
}
