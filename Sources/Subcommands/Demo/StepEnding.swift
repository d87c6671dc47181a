import DemoAuthority
import Foundation
import MSAL
import TerminalUI

/// The outcome of a scenario's step, with a sentence.
struct StepEnding {
    var outcome: Scenario.Step.Outcome?
    var sentence: String

    init(_ outcome: Scenario.Step.Outcome, _ sentence: String) {
        self.outcome = outcome
        self.sentence = sentence
    }

    init(_ result: MSALResult) {
        let name = Printable.sanitize(result.account.username ?? "the user")
        self =
            result.isFromCache
            ? StepEnding(.token(from: .cache), "Token for \(name) from the cache, without a request")
            : StepEnding(.token(from: .authority), "New tokens for \(name)")
    }

    /// The outcome is `nil` if no scenario expects the error.
    init(_ error: NSError) {
        outcome = Scenario.Step.Failure(rawValue: error.code).map { .failure($0) }
        sentence = "\(error.code): \(Printable.sanitize(error.localizedDescription))"
    }
}
