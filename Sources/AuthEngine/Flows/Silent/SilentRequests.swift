import Locks
import OAuthCore

/// State that the silent requests of one application share: requests in progress, remembered results and throttling.
package final class SilentRequests: Sendable {
    let underWay = SharedWork<SilentRequest, TokenOutcome>()
    let remembered = RememberedTokens()
    private let throttling = Locked(Throttling())

    package init() {}

    func throttling<Value>(_ work: (inout Throttling) -> Value) -> Value { throttling.withLock { work(&$0) } }
}
