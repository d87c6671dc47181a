import Glibc

/// Wakes a waiting thread, which can also wait for other descriptors. A signal to a thread that isn't waiting is kept.
///
/// Uses a socket pair, which poll(2) supports and threads can share without a lock.
package final class WakeUp: Sendable {
    /// Readable when a signal is pending.
    package let descriptor: Int32
    private let writing: Int32

    /// Creates a socket pair. Throws `errno` when the process can't open more descriptors.
    package init() throws(WakeUpFailure) {
        var sockets: [Int32] = [-1, -1]
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        guard socketpair(AF_UNIX, Int32(kind), 0, &sockets) == 0 else { throw WakeUpFailure(code: errno) }
        (descriptor, writing) = (sockets[0], sockets[1])
    }

    deinit {
        close(descriptor)
        close(writing)
    }

    /// Wakes one thread once.
    package func signal() {
        var byte: UInt8 = 0
        // If the socket is full, a signal is pending already.
        while write(writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Consumes one ``signal()``. Returns `false` when none is pending, or another thread was faster.
    package func takeSignal() -> Bool {
        var byte: UInt8 = 0
        while true {
            let count = read(descriptor, &byte, 1)
            if count >= 0 || errno != EINTR { return count == 1 }
        }
    }

    /// Waits for ``signal()`` without consuming it; nil waits without limit. A system signal may end the wait early.
    package func wait(atMost limit: Duration? = nil) {
        _ = descriptorsReady(of: [descriptor], atMost: limit)
    }
}

/// The process has no more descriptors, or the system no memory.
package struct WakeUpFailure: Error, Sendable, Equatable {
    package var code: Int32
}

/// A timeout for poll(2).
package struct PollTimeout: Sendable, Equatable {
    /// The timeout in milliseconds; -1 waits without limit.
    package var milliseconds: Int32

    /// Creates a timeout, rounded up, because waking too early would only cause another wait.
    package init(_ duration: Duration?) {
        guard let duration else {
            milliseconds = -1
            return
        }
        let parts = max(duration, .zero).components
        let whole = Double(parts.seconds) * 1000 + (Double(parts.attoseconds) / 1e15).rounded(.up)
        milliseconds = Int32(min(whole, Double(Int32.max)))
    }
}

/// Waits until a descriptor is readable or the time limit is over; nil waits without limit. A signal may end the wait
/// early.
///
/// - Returns: the readable descriptors, including those at their end.
package func descriptorsReady(of descriptors: [Int32], atMost limit: Duration?) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), PollTimeout(limit).milliseconds) > 0 else { return [] }
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
}
