import CMicroHTTPD
import Glibc
import KeyturnSystem

/// The sockets of 127.0.0.1 and ::1 on one port. Without IPv6, only the first.
struct LoopbackListeners {
    let port: UInt16
    let ipv4: Int32
    let ipv6: Int32?

    /// - Parameters:
    ///   - address: a numeric one, which can be any because the user named it; `nil` for both.
    ///   - port: 0 selects one that is free on both addresses.
    static func open(address: String?, port: UInt16) throws(LoopbackServerFailure) -> LoopbackListeners {
        if let address {
            let listener = keyturn_listen_at(address, port)
            guard listener >= 0 else { throw failure(errno: -listener, address: address, port: port) }
            return LoopbackListeners(port: keyturn_loopback_port(listener), ipv4: listener, ipv6: nil)
        }
        // The port chosen for IPv4 may be taken on IPv6, so try several times. The user of a given port may just have ended.
        var attemptsLeft = port == 0 ? 16 : 2
        while true {
            attemptsLeft -= 1
            do { return try openOnce(port: port) } catch {
                guard case .portTaken(_, let user) = error.kind, attemptsLeft > 0, port == 0 || user == .unknown
                else { throw error }
            }
        }
    }

    /// Listens on a Unix socket, and replaces one whose program has ended.
    static func open(socket path: String) throws(LoopbackServerFailure) -> LoopbackListeners {
        var listener = LocalStream.listen(at: path)
        if listener == -EADDRINUSE, isLeftover(path) {
            unlink(path)
            listener = LocalStream.listen(at: path)
        }
        guard listener >= 0 else {
            let why = listener == -EADDRINUSE ? "it exists, and may be another program's" : systemReason(-listener)
            throw LoopbackServerFailure(.io, reason: "Can't listen on \(path): \(why).")
        }
        return LoopbackListeners(port: 0, ipv4: listener, ipv6: nil)
    }

    private static func isLeftover(_ path: String) -> Bool {
        var file = stat()
        return lstat(path, &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK && file.st_uid == geteuid()
            && LocalStream.isLeftBehind(path)
    }

    func close() {
        keyturn_loopback_close(ipv4)
        if let ipv6 { keyturn_loopback_close(ipv6) }
    }

    private static func openOnce(port: UInt16) throws(LoopbackServerFailure) -> LoopbackListeners {
        let ipv4 = keyturn_loopback_listen(0, port)
        guard ipv4 >= 0 else { throw failure(errno: -ipv4, address: "127.0.0.1", port: port) }
        let bound = keyturn_loopback_port(ipv4)
        let ipv6 = keyturn_loopback_listen(1, bound)
        if ipv6 >= 0 { return LoopbackListeners(port: bound, ipv4: ipv4, ipv6: ipv6) }
        if [EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(-ipv6) {
            return LoopbackListeners(port: bound, ipv4: ipv4, ipv6: nil)
        }
        keyturn_loopback_close(ipv4)
        throw failure(errno: -ipv6, address: "[::1]", port: bound)
    }

    private static func failure(errno code: Int32, address: String, port: UInt16) -> LoopbackServerFailure {
        if code == EADDRINUSE {
            let holder = PortHolder(port: port)
            return LoopbackServerFailure(
                .portTaken(port, by: holder.map { $0.isSibling ? .sibling($0.description) : .other } ?? .unknown),
                reason: "Port \(port) of \(address) is taken by \(holder?.description ?? "another program").")
        }
        let why =
            switch code {
            // Port 0 stands for any free one.
            case EACCES where (1..<1024).contains(port): "only root can use ports below 1024"
            case EACCES, EPERM: "a policy of this computer or sandbox forbids it (\(systemReason(code)))"
            default: systemReason(code)
            }
        return LoopbackServerFailure(.io, reason: "Can't listen on \(address), port \(port): \(why).")
    }
}

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
        let process = RunningProcess.first { target, _, _ in links.contains(target) }
        let own = RunningProcess(id: getpid())
        description = process?.description ?? "a program of user \(first.user)"
        isSibling = process != own && first.user == getuid() && process?.command == own.command
    }
}
