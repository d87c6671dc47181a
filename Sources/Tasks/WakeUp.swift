import Glibc

/// Wakes a thread that waits, also one that waits for other descriptors at the same time. What it is told while it does
/// not wait is not lost.
///
/// Two sockets, because poll(2) can wait for them and two numbers may be shared without a lock.
package final class WakeUp: Sendable {
    /// Readable when there is something to wake up for.
    package let descriptor: Int32
    private let writing: Int32

    /// Fails with the `errno` of a process that can open nothing more.
    package init() throws(WakeUpFailure) {
        var ends: [Int32] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw WakeUpFailure(code: errno) }
        (descriptor, writing) = (ends[0], ends[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Wakes one thread, once.
    package func signal() {
        var byte: UInt8 = 0
        // A full socket already wakes whoever looks.
        while write(writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Takes back one call of ``signal()``; false when there is none, or another thread was faster.
    package func take() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count >= 0 || errno != EINTR { return count == 1 }
        }
    }

    /// Returns when it was woken, or after so long; nil waits for ever. A signal of the system may end it early.
    /// Waits for ``signal()`` without taking it back; nil waits for ever. A signal of the system may end it early.
    package func wait(atMost limit: Duration? = nil) {
        _ = descriptorsReady(of: [descriptor], atMost: limit)
    }
}

/// The process has no descriptors left, or the system no memory.
package struct WakeUpFailure: Error, Sendable, Equatable {
    package var code: Int32
}
