import KeyturnSystem
import MSAL

/// Reproducible pseudorandom bytes (SplitMix64).
package final class SeededRandom: RandomBytes {
    private let state: Locked<UInt64>

    package init(seed: UInt64 = 1) { state = Locked(seed) }

    package func next() -> UInt64 {
        state.withLock { state in
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    package func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
