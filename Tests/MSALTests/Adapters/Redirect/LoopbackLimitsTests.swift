import Foundation
import Glibc
import KeyturnSystem
import LoopbackHTTP
import OAuthCore
import Testing

@testable import MSAL

/// Whatever another local process does to the listener, it still takes the response afterwards.
@Suite("Loopback receiver under attack", .serialized)
struct LoopbackLimitsTests {
    private func withReceiver(
        limits: LoopbackServer.Limits = .init(connections: 64, idleSeconds: 1), _ attack: (UInt16) async throws -> Void
    ) async throws {
        let delivered = Locked<[String]>([])
        let url = try #require(URL(string: "http://localhost/back"))
        let receiver = try await LoopbackReceiver(
            listener: MSALLoopbackListener(), pagePatience: 0, limits: limits
        ).open(RedirectURI(url: url, kind: .loopback, isBrokerCapable: false)) { url in
            delivered.withLock { $0.append(url.absoluteString) }
            return url.query()?.contains("state=right") == true
        }
        let port = UInt16(receiver.redirectURI.port ?? 0)
        try await attack(port)
        let answer = try await RawClient.get("/back?code=1&state=right", port: port)
        #expect(RawClient.status(answer) == 303)
        #expect(delivered.withLock { $0 }.last == "http://localhost:\(port)/back?code=1&state=right")
        await receiver.close()
    }

    @Test("Requests that never end time out", arguments: ["", "GET", "GET /back HTTP/1.1\r\nHost: local"])
    func slow(start: String) async throws {
        try await withReceiver { port in
            let answer = try await RawClient.exchange(port: port, start)
            #expect(RawClient.status(answer) != 200 && RawClient.status(answer) != 303)
        }
    }

    struct Flood: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var head: String
        var unit: String
    }

    @Test(
        "Oversized input is rejected or cut",
        arguments: [
            Flood(testDescription: "endless target", head: "GET /", unit: "a"),
            Flood(testDescription: "endless field", head: "GET /back HTTP/1.1\r\nX: ", unit: "a"),
            Flood(testDescription: "endless fields", head: "GET /back HTTP/1.1\r\n", unit: "X: y\r\n"),
            Flood(
                testDescription: "endless form",
                head: "POST /back HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n", unit: "a=1&"),
            Flood(
                testDescription: "endless chunks",
                head: "POST /back HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n",
                unit: "4\r\na=1&\r\n"),
        ])
    func huge(flood: Flood) async throws {
        try await withReceiver { port in
            let text = flood.head + String(repeating: flood.unit, count: (4 << 20) / flood.unit.utf8.count)
            // A connection that is cut while it still sends may be reset before its response is read.
            let answer = (try? await RawClient.exchange(port: port, text)) ?? ""
            let status = RawClient.status(answer)
            #expect(status == nil || (400..<500).contains(status ?? 0), "\(answer.prefix(60))")
        }
    }

    @Test("Pipelined requests are answered one by one")
    func pipelined() async throws {
        try await withReceiver { port in
            let stray = "GET /back?state=wrong HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
            let last = "GET /favicon.ico HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n"
            let answer = try await RawClient.exchange(
                port: port, String(repeating: stray, count: 100) + last)
            #expect(answer.components(separatedBy: "HTTP/1.1 400").count == 101)
            #expect(answer.components(separatedBy: "HTTP/1.1 404").count == 2)
        }
    }

    @Test("A request hidden in another one's body is not a request")
    func smuggled() async throws {
        try await withReceiver { port in
            let inner = "GET /back?code=stolen&state=right HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n"
            let outer =
                "POST /elsewhere HTTP/1.1\r\nHost: localhost:\(port)\r\nContent-Length: \(inner.utf8.count)\r\n"
                + "Connection: close\r\n\r\n"
            let answer = try await RawClient.exchange(port: port, outer + inner)
            #expect(!answer.contains("303"))
        }
    }

    @Test(
        "Garbage is not a request",
        arguments: [
            "\u{0}\u{1}\u{2}\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\r\n\r\n", "\r\n\r\n\r\n", "GET\r\n\r\n",
            "é\r\n\r\n",
        ])
    func garbage(text: String) async throws {
        try await withReceiver { port in
            let answer = (try? await RawClient.exchange(port: port, text)) ?? ""
            #expect(RawClient.status(answer) != 200 && RawClient.status(answer) != 303)
        }
    }

    @Test(
        "512 requests that never end do not block a browser", .timeLimit(.minutes(5)),
        arguments: ["", "GET /back?code=", "POST /back HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\ncode="])
    func slowloris(start: String) async throws {
        // None of them times out.
        var limits = LoopbackReceiver().limits
        limits.idleSeconds = 3600
        limits.requestSeconds = 3600
        let most = Int(limits.connections)
        let held = Locked<[Int32]>([])
        defer { held.withLock { $0.forEach { close($0) } } }
        try await withReceiver(limits: limits) { port in
            let sockets = try await RawClient.off {
                (0..<512).compactMap { _ in
                    RawClient.opened(port: port).map { socket in
                        _ = start.withCString { send(socket, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                        return socket
                    }
                }
            }
            #expect(sockets.count == 512)
            held.withLock { $0 = sockets }
            // A full backlog delays connections, so wait until the listener has accepted all: it then cut the excess.
            try await RawClient.off {
                var open = sockets.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                while open.count > most, poll(&open, nfds_t(open.count), -1) > 0 {
                    var byte: UInt8 = 0
                    open.removeAll { $0.revents != 0 && recv($0.fd, &byte, 1, 0) <= 0 }
                }
            }
        }
    }

    @Test("10,000 connections come and go, and the last hundred stay")
    func manyConnections() async throws {
        try await withReceiver { port in
            let held = try await RawClient.off {
                var held: [Int32] = []
                for number in 0..<10_000 {
                    guard let socket = RawClient.opened(port: port) else { continue }
                    if number < 9_900 { close(socket) } else { held.append(socket) }
                }
                return held
            }
            #expect(!held.isEmpty)
            // These silent connections exceed the listener's limit: it closes all of them, which this waits for.
            try await RawClient.off {
                for socket in held {
                    var byte: UInt8 = 0
                    #expect(recv(socket, &byte, 1, 0) <= 0)
                    close(socket)
                }
            }
        }
    }
}

extension RawClient {
    /// A silent connection; the caller closes it.
    fileprivate static func opened(port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result == 0 { return descriptor }
        close(descriptor)
        return nil
    }
}
