import Locks
import OAuthCore

/// What silent requests of one application know of each other: which are under way, which were answered from the cache,
/// and which not to send again yet.
package final class SilentRequests: Sendable {
    let underWay = SharedWork<SilentRequest, TokenOutcome>()
    let remembered = RememberedTokens()
    private let throttling = Locked(Throttling())

    package init() {}

    func throttling<Value>(_ work: (inout Throttling) -> Value) -> Value { throttling.withLock { work(&$0) } }
}
