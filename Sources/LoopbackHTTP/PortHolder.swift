import Glibc
import KeyturnSystem

/// The process that listens on a port, from /proc, as far as this user has access.
struct PortHolder {
    /// "python3 (process 123)", or "a program of user 33".
    let description: String
    /// Whether it is another process of this program.
    let isSibling: Bool

    /// `nil` when it is unknown.
    init?(port: UInt16) {
        let sockets = LocalSockets.firstFound(port: port) { sockets in
            let listening = sockets.listening(on: port)
            return listening.isEmpty ? nil : listening
        }
        guard let sockets, let first = sockets.first else { return nil }
        let links = Set(sockets.map { "socket:[\($0.inode)]" })
        guard let process = RunningProcess.first(withDescriptor: { target, _, _ in links.contains(target) }) else {
            description = "a program of user \(first.user)"
            isSibling = false
            return
        }
        let own = RunningProcess(id: getpid())
        description = process.description
        isSibling = process != own && first.user == getuid() && process.command == own.command
    }
}
