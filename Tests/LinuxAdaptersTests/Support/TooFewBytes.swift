import AuthEngine

/// Whoever seals with it has no whole nonce.
struct TooFewBytes: RandomBytes {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count / 2) }
}
