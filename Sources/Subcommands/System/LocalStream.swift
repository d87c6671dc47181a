import Glibc
import KeyturnSystem

/// A connection to a program that listens on a Unix socket (unix(7), `SOCK_STREAM`).
enum LocalStream {
    enum Failure: Error, Equatable {
        /// No program listens there.
        case nobody
        /// The other side sent nothing in time.
        case late
        case system(Int32)
    }

    /// Sends a request, and returns everything that comes until the other side closes. On a thread of its own, so that the end of
    /// the task ends the wait.
    static func exchange(
        _ request: String, at path: String, atMost limit: Int, seconds: Int
    ) async throws(Failure) -> [UInt8] {
        let stream = try open(path, seconds: seconds)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                SystemThread.startOrRun { continuation.resume(returning: exchange(request, on: stream, atMost: limit)) }
            }
        } onCancel: {
            _ = shutdown(stream, Int32(SHUT_RDWR))
        }
        close(stream)
        return try result.get()
    }

    /// Whether a program listens at the path.
    static func isOpen(_ path: String) -> Bool {
        guard let stream = try? open(path, seconds: 1) else { return false }
        close(stream)
        return true
    }

    /// Whether no program listens at the path. One that is busy does.
    static func isAbandoned(_ path: String) -> Bool {
        do throws(Failure) { close(try open(path, seconds: 1)) } catch { return error == .nobody }
        return false
    }

    private static func exchange(_ request: String, on stream: Int32, atMost limit: Int) -> Result<[UInt8], Failure> {
        // It fits in the socket's buffer.
        guard send(stream, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return .failure(failure())
        }
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while response.count <= limit {
            let count = recv(stream, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(failure()) }
            if count == 0 { return .success(response) }
            response += buffer.prefix(count)
        }
        return .failure(.system(EMSGSIZE))
    }

    private static func open(_ path: String, seconds: Int) throws(Failure) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { throw .system(ENAMETOOLONG) }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let stream = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard stream >= 0 else { throw failure() }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(stream, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(stream, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else {
            defer { close(stream) }
            throw [ECONNREFUSED, ENOENT].contains(errno) ? .nobody : failure()
        }
        return stream
    }

    private static func failure() -> Failure { [EAGAIN, ETIMEDOUT].contains(errno) ? .late : .system(errno) }
}
