import CSystem
import Foundation
import Glibc

/// Waits for a time of the wall clock or a change of files, and doesn't wake up in between.
package struct ChangeWait: Sendable {
    /// The files, with the versions that count as seen.
    private var files: [(path: String, version: FileVersion)] = []

    package init() {}

    /// Adds a file, which need not exist. Its current version counts as seen.
    package mutating func add(_ path: String) {
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        files.append((target, FileVersion(at: target)))
    }

    /// Returns at a time, when the clock is set or the computer resumes, or when a file has another version. Throws
    /// `CancellationError` as soon as the task is cancelled.
    ///
    /// Occupies its thread. Without inotify(7), a change of a file doesn't end the wait.
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
