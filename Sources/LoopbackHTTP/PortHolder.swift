import Glibc
import POSIX

/// Finds the process that listens on a port, from /proc, as far as this user has access.
enum PortHolder {
    /// Returns "python3 (process 123)", "a program of user 33", or `nil` when it is unknown.
    static func describe(port: UInt16) -> String? {
        let sockets = LocalSockets.firstFound(port: port) { sockets in
            let listening = sockets.listening(on: port)
            return listening.isEmpty ? nil : listening
        }
        guard let sockets, let first = sockets.first else { return nil }
        let links = Set(sockets.map { "socket:[\($0.inode)]" })
        let process = RunningProcess.first { target, _, _ in links.contains(target) }
        return process?.description ?? "a program of user \(first.user)"
    }
}
