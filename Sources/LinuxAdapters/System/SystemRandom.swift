import AuthEngine
import Glibc

/// The kernel's generator, getrandom(2): the C library asks it each time, and once for all of the bytes.
package struct SystemRandom: RandomBytes {
    package init() {}

    package func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            if let start = buffer.baseAddress { arc4random_buf(start, count) }
            filled = count
        }
    }
}
