import MSAL

/// A random source too short for a nonce.
struct TooFewBytes: RandomBytes {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 1, count: count / 2) }
}
