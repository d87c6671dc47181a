import AuthEngine
import Glibc

/// Random bytes from the kernel, getrandom(2).
package struct SystemRandom: RandomBytes {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { arc4random_buf(start, count) }
            filled = count
        }
    }
}
