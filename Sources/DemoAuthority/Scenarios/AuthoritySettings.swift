import Foundation
import KeyturnCrypto

/// The behaviour of the authority in a scenario or test.
package struct AuthoritySettings: Sendable, Equatable {
    package var lifetimes = Lifetimes()
    package var policies = AccessPolicies()
    /// How far the authority's clock is ahead of the real one, in seconds.
    package var clockOffset: TimeInterval = 0
    package var interruption: Interruption?
    /// The faults to simulate.
    package var faults: [Fault] = []
    /// The signature algorithm: RS256, ES256 or PS256.
    package var signatureAlgorithm = SignatureAlgorithm.rs256
    /// Whether the signing key and algorithm change after each token response.
    package var rotatesKeys = false
    /// Whether the key set holds the keys of all rotations, so that a token without a key ID can be signed with any.
    package var publishesAllKeys = false
    /// The delay of each response to a program, in seconds. Pages have no delay.
    package var delay: TimeInterval = 0
}
