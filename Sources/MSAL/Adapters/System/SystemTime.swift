import Foundation
import Glibc
import KeyturnSystem

package struct SystemTime: TimeSource {
    package init() {}

    package func now() -> Date { Date() }

    package func sleep(seconds: Double) async throws {
        // Limited to what `Duration` can represent, because a program may configure any number.
        try await KeyturnSystem.sleep(for: .seconds(min(max(0, seconds), 1e9)))
    }
}

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

extension SystemDescription {
    /// The kernel's name and release, from uname(2).
    package static func ofThisMachine() -> SystemDescription {
        var names = utsname()
        guard uname(&names) == 0 else { return SystemDescription() }
        let release = withUnsafeBytes(of: &names.release) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return SystemDescription(version: release)
    }
}
