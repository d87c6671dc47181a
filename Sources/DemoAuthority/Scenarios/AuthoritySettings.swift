import Foundation

/// How an authority behaves: what a scenario, or a test, changes of it.
package struct AuthoritySettings: Sendable, Equatable {
    package var lifetimes = Lifetimes()
    package var policies = AccessPolicies()
    /// How far its clock is ahead of the real one, in seconds.
    package var clockOffset: TimeInterval = 0
    package var interruption: Interruption?

    package init(lifetimes: Lifetimes = Lifetimes()) { self.lifetimes = lifetimes }
}
