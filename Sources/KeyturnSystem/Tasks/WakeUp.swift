import CSystem
import Foundation
import Glibc

/// Wakes a waiting thread, which can also wait for other descriptors. A signal to a thread that isn't waiting is kept. Uses a
/// socket pair, which poll(2) supports and threads can share without a lock.
package final class WakeUp: Sendable {
    package let descriptor: Int32
    private let writing: Int32

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

    /// Waits for ``signal()`` without consuming it. A system signal may end the wait early.
    package func wait(atMost limit: Duration? = nil) { _ = descriptorsReady(of: [descriptor], atMost: limit) }
}

/// The process has no more descriptors, or the system no memory.
package struct WakeUpFailure: Error, Sendable, Equatable {
    package var code: Int32
}

/// A timeout for poll(2), rounded up, because waking too early would only cause another wait; -1 waits without limit.
func pollMilliseconds(_ limit: Duration?) -> Int32 {
    guard let parts = limit.map({ max($0, .zero).components }) else { return -1 }
    let whole = Double(parts.seconds) * 1000 + (Double(parts.attoseconds) / 1e15).rounded(.up)
    return Int32(min(whole, Double(Int32.max)))
}

/// Waits until a descriptor is readable or at its end; nil waits without limit. A signal may end the wait early.
package func descriptorsReady(of descriptors: [Int32], atMost limit: Duration?) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), pollMilliseconds(limit)) > 0 else { return [] }
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
}

/// Waits for a time of the wall clock or a change of files, and doesn't wake up in between.
package struct ChangeWait: Sendable {
    private var files: [(path: String, version: FileVersion)] = []

    package init() {}

    /// The file need not exist.
    package mutating func add(_ path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        files.append((target, FileVersion(at: target)))
    }

    /// Also returns when the clock is set or the computer resumes, or, with inotify(7), when a file has another version. Throws
    /// `CancellationError` as soon as the task is cancelled. Occupies its thread.
    package func wait(until date: Date?) async throws {
        let interruption = try WakeUp()
        try await withTaskCancellationHandler {
            try block(until: date, interruption.descriptor)
        } onCancel: {
            interruption.signal()
        }
        try Task.checkCancellation()
    }

    private func block(until date: Date?, _ interruption: Int32) throws {
        let changes = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        defer { if changes >= 0 { close(changes) } }
        for file in files {
            inotify_add_watch(
                changes, file.path.parentFolder, UInt32(IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_TO))
        }
        // Later than any expiry, and short enough for the kernel.
        let seconds = date.map { min($0.timeIntervalSince1970.rounded(.up), 1e11) }
        let timer = seconds.map { keyturn_wall_timer(Int64($0)) } ?? -1
        if seconds != nil, timer < 0 { throw WakeUpFailure(code: errno) }
        defer { if timer >= 0 { close(timer) } }
        // Compared only after the kernel watches, so that no change is missed.
        while files.allSatisfy({ FileVersion(at: $0.path) == $0.version }) {
            let ready = descriptorsReady(of: [interruption, timer, changes], atMost: nil)
            if ready.contains(interruption) || ready.contains(timer) { return }
            var events = [UInt8](repeating: 0, count: 4096)
            while read(changes, &events, events.count) > 0 {}
        }
    }
}
