import DemoAuthority
import Foundation
import MSAL
import TerminalUI

/// What came of a scenario's step, to be compared with what had to, and as a sentence.
struct StepEnding {
    var outcome: Scenario.Step.Outcome?
    var sentence: String

    init(_ outcome: Scenario.Step.Outcome, _ sentence: String) {
        self.outcome = outcome
        self.sentence = sentence
    }

    init(_ result: MSALResult) {
        let name = Printable.sanitize(result.account.username ?? "somebody")
        self =
            result.isFromCache
            ? StepEnding(.token(from: .cache), "A token for \(name) was in the cache: no request was sent")
            : StepEnding(.token(from: .authority), "The authority gave tokens for \(name)")
    }

    /// `outcome` is nil when no scenario ends in such an error.
    init(_ error: NSError) {
        outcome = Scenario.Step.Failure(rawValue: error.code).map { .failure($0) }
        sentence = "\(error.code): \(Printable.sanitize(error.localizedDescription))"
    }
}
