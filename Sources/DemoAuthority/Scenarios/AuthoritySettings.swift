import Crypto
import Foundation

/// How an authority behaves: what a scenario, or a test, changes of it.
package struct AuthoritySettings: Sendable, Equatable {
    package var lifetimes = Lifetimes()
    package var policies = AccessPolicies()
    /// How far its clock is ahead of the real one, in seconds.
    package var clockOffset: TimeInterval = 0
    package var interruption: Interruption?
    /// How it misbehaves.
    package var faults: [Fault] = []
    /// RS256, ES256 or PS256.
    package var signatureAlgorithm = SignatureAlgorithm.rs256
    /// Whether it signs with another key, of another algorithm, after each token response.
    package var rotatesKeys = false
    /// Whether the keys of every rotation are there at once: then a token that names none can be of any.
    package var publishesAllKeys = false
    /// How long programs wait for each answer, in seconds; people's pages come at once.
    package var delay: TimeInterval = 0

    package init(lifetimes: Lifetimes = Lifetimes()) { self.lifetimes = lifetimes }
}
