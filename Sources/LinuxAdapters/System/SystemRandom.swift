import AuthEngine

/// The kernel's generator, getrandom(2), which is what Swift's system generator reads on Linux.
package struct SystemRandom: RandomBytes {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
