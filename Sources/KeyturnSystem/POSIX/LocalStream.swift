import CSystem
import Glibc

/// A connection to a program that listens on a Unix socket (unix(7), `SOCK_STREAM`).
package enum LocalStream {
    package enum Failure: Error, Equatable {
        case nobody
        case late
        case system(Int32)

        init(_ code: Int32) { self = [EAGAIN, ETIMEDOUT].contains(code) ? .late : .system(code) }
    }

    /// Returns a socket that only this user can open, or a negative `errno`.
    package static func listen(at path: String) -> Int32 { keyturn_unix_listen(path, 0) }

    /// Returns everything that comes until the other side closes. On a thread of its own, so that the task's end ends the wait.
    package static func exchange(
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

    package static func isOpen(_ path: String) -> Bool { obstacle(at: path) == 0 }

    /// Whether no program listens at the path. One that is busy does, which takes up to a second to find out.
    package static func isAbandoned(_ path: String) -> Bool { [ECONNREFUSED, ENOENT].contains(obstacle(at: path)) }

    /// Whether a socket is at the path on which no program listens.
    package static func isLeftBehind(_ path: String) -> Bool { obstacle(at: path) == ECONNREFUSED }

    /// The `errno` of connecting, or 0.
    private static func obstacle(at path: String) -> Int32 {
        let stream = keyturn_unix_connect(path, 1, 0)
        guard stream >= 0 else { return -stream }
        close(stream)
        return 0
    }

    private static func exchange(_ request: String, on stream: Int32, atMost limit: Int) -> Result<[UInt8], Failure> {
        // It fits in the socket's buffer.
        guard send(stream, request, request.utf8.count, Int32(MSG_NOSIGNAL)) == request.utf8.count else {
            return .failure(Failure(errno))
        }
        var response: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while response.count <= limit {
            let count = recv(stream, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return .failure(Failure(errno)) }
            if count == 0 { return .success(response) }
            response += buffer.prefix(count)
        }
        return .failure(.system(EMSGSIZE))
    }

    private static func open(_ path: String, seconds: Int) throws(Failure) -> Int32 {
        let stream = keyturn_unix_connect(path, Int32(clamping: seconds), 0)
        guard stream < 0 else { return stream }
        throw [ECONNREFUSED, ENOENT].contains(-stream) ? .nobody : Failure(-stream)
    }
}
