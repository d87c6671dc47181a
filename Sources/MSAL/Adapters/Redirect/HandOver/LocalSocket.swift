import CSystem
import Glibc
import KeyturnSystem

/// A local socket that preserves message boundaries (unix(7), `SOCK_SEQPACKET`).
final class LocalSocket: Sendable {
    struct Failure: Error {
        var code: Int32

        var reason: String { systemReason(code) }
    }

    let descriptor: Int32

    /// Seconds to wait for the other side at each step.
    static let patience = 2

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Listens at `path` with mode 0600. The path appears only when the socket accepts connections.
    static func listen(at path: String) throws(Failure) -> LocalSocket {
        let hidden = path + ".new"
        do throws(Failure) {
            let socket = LocalSocket(descriptor: try checked(keyturn_unix_listen(hidden, 1)))
            try check(rename(hidden, path))
            return socket
        } catch {
            unlink(hidden)
            throw error
        }
    }

    static func connect(to path: String) throws(Failure) -> LocalSocket {
        LocalSocket(descriptor: try checked(keyturn_unix_connect(path, Int32(patience), 1)))
    }

    /// Waits for the next connection. Throws when the socket is shut down.
    func accept() throws(Failure) -> LocalSocket {
        while true {
            let accepted = Glibc.accept(descriptor, nil, nil)
            if accepted >= 0 {
                let socket = LocalSocket(descriptor: accepted)
                _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
                try socket.limitWaiting()
                return socket
            }
            guard errno == EINTR || errno == ECONNABORTED else { throw Failure(code: errno) }
        }
    }

    /// The user of the process at the other end, from the kernel.
    func peer() throws(Failure) -> uid_t {
        // struct ucred (process, user, group), which glibc declares only for GNU sources.
        var credentials: [UInt32] = [0, 0, 0]
        var length = socklen_t(MemoryLayout<UInt32>.size * credentials.count)
        try Self.check(getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length))
        return credentials[1]
    }

    func send(_ message: [UInt8]) throws(Failure) {
        let count = Glibc.send(descriptor, message, message.count, Int32(MSG_NOSIGNAL))
        guard count == message.count else { throw Failure(code: count < 0 ? errno : EMSGSIZE) }
    }

    /// Receives a message, or an empty one when the other side has closed. Throws `EMSGSIZE` when it exceeds `limit`.
    func receive(atMost limit: Int) throws(Failure) -> [UInt8] {
        var message = [UInt8](repeating: 0, count: limit + 1)
        let count = recv(descriptor, &message, message.count, 0)
        guard count >= 0 else { throw Failure(code: errno) }
        guard count <= limit else { throw Failure(code: EMSGSIZE) }
        return Array(message.prefix(count))
    }

    /// Wakes a thread that is waiting in ``accept()``.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func limitWaiting() throws(Failure) {
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            try Self.check(setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size)))
        }
    }

    /// - Parameter result: a descriptor, or a negative `errno`.
    private static func checked(_ result: Int32) throws(Failure) -> Int32 {
        guard result < 0 else { return result }
        throw Failure(code: -result)
    }

    private static func check(_ result: Int32) throws(Failure) {
        if result < 0 { throw Failure(code: errno) }
    }
}
