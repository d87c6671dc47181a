import Foundation
import Glibc
import KeyturnSystem

/// An HTTP server on 127.0.0.1 that counts requests. It closes a kept connection when a second request arrives on it,
/// like a server whose idle timeout ends at that moment.
final class ClosingServer: Sendable {
    struct Counts: Equatable, Sendable {
        var connections = 0
        /// By method.
        var requests: [String: Int] = [:]
    }

    let port: UInt16
    private let socket: Int32
    private let answers: @Sendable (_ method: String) -> String?
    private let counted = Locked(Counts())

    var counts: Counts { counted.withLock { $0 } }

    /// - Parameter answers: The status line for a method; `nil` closes the connection without a response.
    init(answers: @escaping @Sendable (_ method: String) -> String?) throws {
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: true)
        (self.socket, self.port, self.answers) = (socket, port, answers)
        Thread.detachNewThread { [self] in serve() }
    }

    func stop() { shutdown(socket, Int32(SHUT_RDWR)) }

    private func serve() {
        while true {
            let connection = accept(socket, nil, nil)
            guard connection >= 0 else { break }
            counted.withLock { $0.connections += 1 }
            Thread.detachNewThread { [self] in
                if let method = request(connection), let status = answers(method) {
                    let response = "HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n"
                    _ = response.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                    _ = request(connection)
                }
                close(connection)
            }
        }
        close(socket)
    }

    /// Reads and counts a request. Returns its method; `nil` if the client closes instead.
    private func request(_ connection: Int32) -> String? {
        var text = ""
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !text.contains("\r\n\r\n") || !hasBody(text) {
            let count = RawClient.uninterrupted { recv(connection, &chunk, chunk.count, 0) }
            guard count > 0 else { return nil }
            text += String(decoding: chunk.prefix(count), as: UTF8.self)
        }
        let method = String(text.prefix { $0 != " " })
        counted.withLock { $0.requests[method, default: 0] += 1 }
        return method
    }

    private func hasBody(_ text: String) -> Bool {
        guard let end = text.range(of: "\r\n\r\n") else { return false }
        let length = text.range(of: "Content-Length: ").flatMap { Int(text[$0.upperBound...].prefix { $0.isNumber }) }
        return text[end.upperBound...].utf8.count >= length ?? 0
    }
}
