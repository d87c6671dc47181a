import AuthEngine
import KeyturnCrypto
import Locks

/// A key store in memory.
package final class MemoryProofKeyStore: ProofKeyStore {
    private let kept: Locked<Result<PrivateKey, ProofKeyFailure>>

    /// A shared key, because creating one takes longer than most tests.
    private static let shared: Result<PrivateKey, ProofKeyFailure> = {
        do throws(CryptoFailure) {
            return .success(try PrivateKey.generate(.rsa(bits: 2048)))
        } catch {
            return .failure(ProofKeyFailure(reason: "No key could be made."))
        }
    }()

    package init() { kept = Locked(Self.shared) }

    /// Replaces the key, or makes reading it fail.
    package func replace(with key: Result<PrivateKey, ProofKeyFailure>) { kept.withLock { $0 = key } }

    package func key() throws(ProofKeyFailure) -> PrivateKey { try kept.withLock { $0 }.get() }
}
