import Foundation
import Glibc

/// A TCP client that sends exact bytes, off the threads that tasks run on.
enum RawClient {
    struct Failure: Error, Equatable {
        var code: Int32
    }

    /// Sends `text`, then reads until the server closes. An empty result means that the connection was cut.
    static func exchange(_ address: String = "127.0.0.1", port: UInt16, _ text: String) async throws -> String {
        try await off {
            let socket = try connected(to: address, port: port)
            defer { close(socket) }
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes { buffer in
                    uninterrupted { send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL)) }
                }
                guard sent > 0 else { break }
                rest = rest.dropFirst(sent)
            }
            var answer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = uninterrupted { recv(socket, &chunk, chunk.count, 0) }
                guard count > 0 else { break }
                answer += chunk.prefix(count)
            }
            return String(decoding: answer, as: UTF8.self)
        }
    }

    /// A request that closes the connection.
    static func get(
        _ target: String, port: UInt16, method: String = "GET", address: String = "127.0.0.1", host: String? = nil,
        fields: [String] = [], body: String? = nil
    ) async throws -> String {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "localhost:\(port)")", "Connection: close"]
        lines += fields
        if let body { lines.append("Content-Length: \(body.utf8.count)") }
        return try await exchange(
            address, port: port, lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
    }

    /// The status of a response; `nil` without one.
    static func status(_ answer: String) -> Int? {
        answer.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) }
    }

    /// A socket that occupies a free port of one address; it rejects connections unless it listens.
    static func holder(of address: String, listens: Bool) throws -> (socket: Int32, port: UInt16) {
        let socket = try withAddress(address, port: 0) { socket, address, length in
            guard bind(socket, address, length) == 0, !listens || listen(socket, 1) == 0 else {
                throw Failure(code: errno)
            }
        }
        var bound = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        withUnsafeMutablePointer(to: &bound) {
            // The port is at the same offset in the addresses of both families.
            _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        return (socket, UInt16(bigEndian: bound.sin6_port))
    }

    /// Repeats a call that a signal of another test interrupted.
    static func uninterrupted(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }

    /// Runs blocking work on a separate thread: Dispatch adds threads for blocked ones only once a second.
    static func off<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result(catching: work)) }
        }
    }

    static func connected(to address: String = "127.0.0.1", port: UInt16) throws -> Int32 {
        try withAddress(address, port: port) { socket, address, length in
            guard connect(socket, address, length) == 0 else { throw Failure(code: errno) }
        }
    }

    private static func withAddress(
        _ text: String, port: UInt16, _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) throws -> Void
    ) throws -> Int32 {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(text, String(port), &hints, &found) == 0, let info = found, let address = info.pointee.ai_addr
        else { throw Failure(code: EINVAL) }
        defer { freeaddrinfo(info) }
        let socket = socket(info.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
        do {
            try use(socket, address, info.pointee.ai_addrlen)
            return socket
        } catch {
            close(socket)
            throw error
        }
    }
}
