import AuthEngine
import KeyturnCrypto
import Locks

/// A key that lives as long as the test.
package final class MemoryProofKeyStore: ProofKeyStore {
    private let kept: Locked<Result<PrivateKey, ProofKeyFailure>>

    /// One key for all tests: making one takes longer than most tests.
    private static let shared: Result<PrivateKey, ProofKeyFailure> = {
        do throws(CryptoFailure) {
            return .success(try PrivateKey.generate(.rsa(bits: 2048)))
        } catch {
            return .failure(ProofKeyFailure(reason: "No key could be made."))
        }
    }()

    package init() { kept = Locked(Self.shared) }

    /// Puts another key in the place, or takes the place away.
    package func replace(with key: Result<PrivateKey, ProofKeyFailure>) { kept.withLock { $0 = key } }

    package func key() throws(ProofKeyFailure) -> PrivateKey { try kept.withLock { $0 }.get() }
}
