import Foundation
import Glibc
import LoopbackHTTP
import OAuthCore
import Testing

@Suite("Loopback server")
struct LoopbackServerTests {
    /// Responds with the request.
    private static let echo: LoopbackServer.Handler = { request in
        let text = [
            request.method.rawValue, request.url.absoluteString, request.headers["X-Test"] ?? "-",
            String(decoding: request.body, as: UTF8.self),
        ].joined(separator: "|")
        return HTTPResponse(status: 200, headers: ["Content-Type": "text/plain"], body: Array(text.utf8))
    }

    @Test("Passes on method, target as sent, fields and body", arguments: ["127.0.0.1", "::1"])
    func request(address: String) async throws {
        let server = try LoopbackServer.start(handler: Self.echo)
        try #require(address == "127.0.0.1" || server.listensOnIPv6)
        let answer = try await RawClient.get(
            "/a%20b/c?x=%2F+1&y", port: server.port, method: "POST", address: address, fields: ["x-test: yes"],
            body: "code=1")
        #expect(RawClient.status(answer) == 200)
        #expect(answer.hasSuffix("POST|http://localhost:\(server.port)/a%20b/c?x=%2F+1&y|yes|code=1"))
        server.stop()
    }

    @Test("Listens on the loopback addresses only")
    func otherAddresses() async throws {
        let server = try LoopbackServer.start(handler: Self.echo)
        await #expect(throws: RawClient.Failure(code: ECONNREFUSED)) {
            try await RawClient.get("/", port: server.port, address: "127.0.0.2")
        }
        server.stop()
    }

    @Test("Names the port that is in use, on either address", arguments: ["127.0.0.1", "::1"])
    func portTaken(address: String) throws {
        let (socket, port) = try RawClient.holder(of: address, listens: true)
        defer { close(socket) }
        do throws(LoopbackServerFailure) {
            _ = try LoopbackServer.start(port: port, handler: Self.echo)
            Issue.record("it started")
        } catch {
            #expect(error.kind == .portTaken(port, by: .other))
            #expect(error.reason.contains("\(port)"))
        }
    }

    @Test("A server that fails to start leaves its port free")
    func notStarted() throws {
        let server = try LoopbackServer.start(handler: Self.echo)
        let port = server.port
        server.stop()
        let failure = #expect(throws: LoopbackServerFailure.self) {
            try LoopbackServer.start(port: port, limits: .init(connections: 0), handler: Self.echo)
        }
        #expect(failure?.kind == .io)
        try LoopbackServer.start(port: port, handler: Self.echo).stop()
    }

    @Test("Two servers do not share a port")
    func twice() throws {
        let first = try LoopbackServer.start(handler: Self.echo)
        #expect(throws: LoopbackServerFailure.self) {
            try LoopbackServer.start(port: first.port, handler: Self.echo)
        }
        first.stop()
    }

    @Test("Rejects bodies over the limit, accepts those of its size")
    func bodyLimit() async throws {
        let server = try LoopbackServer.start(limits: .init(bodyBytes: 1000), handler: Self.echo)
        let full = String(repeating: "a", count: 1000)
        let taken = try await RawClient.get("/", port: server.port, method: "POST", body: full)
        #expect(RawClient.status(taken) == 200 && taken.hasSuffix(full))
        let rejected = try await RawClient.get("/", port: server.port, method: "POST", body: full + "a")
        #expect(RawClient.status(rejected) == 413)
        let chunked = try await RawClient.exchange(
            port: server.port,
            "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n\(full)a\r\n0\r\n\r\n")
        #expect(RawClient.status(chunked) != 200)
        server.stop()
    }

    @Test(
        "Rejects invalid requests before the handler sees them",
        arguments: [
            ("BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405),
            ("GET http://elsewhere/ HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: user@elsewhere\r\nConnection: close\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: a\u{1}b\r\nConnection: close\r\n\r\n", 400),
            ("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: a\u{7F}b\r\nConnection: close\r\n\r\n", 400),
        ])
    func rejected(text: String, status: Int) async throws {
        let server = try LoopbackServer.start { _ in
            Issue.record("the handler was called")
            return HTTPResponse(status: 200)
        }
        #expect(RawClient.status(try await RawClient.exchange(port: server.port, text)) == status)
        server.stop()
    }

    @Test("Rejects an unknown method with a list of known ones (RFC 9110 §15.5.6)")
    func unknownMethod() async throws {
        let server = try LoopbackServer.start(handler: Self.echo)
        let answer = try await RawClient.get("/", port: server.port, method: "PROPFIND")
        #expect(RawClient.status(answer) == 405 && answer.contains("Allow: GET, POST\r\n"))
        server.stop()
    }

    @Test(
        "An incomplete request times out; a complete one is answered, however long that takes",
        .timeLimit(.minutes(5)),
        arguments: ["", "GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nbody"])
    func deadline(start: String) async throws {
        let arrived = Latch()
        let mayReceive = Latch()
        let limits = LoopbackServer.Limits(idleSeconds: 3600, requestSeconds: 1)
        let server = try LoopbackServer.start(limits: limits) { _ in
            arrived.open()
            await mayReceive.wait()
            return HTTPResponse(status: 200)
        }
        async let answer = RawClient.get("/", port: server.port)
        await arrived.wait()
        #expect(try await RawClient.exchange(port: server.port, start) == "")
        mayReceive.open()
        #expect(RawClient.status(try await answer) == 200)
        server.stop()
    }

    @Test("Sends the handler's fields, and its Date instead of the server's")
    func fields() async throws {
        let server = try LoopbackServer.start { _ in
            HTTPResponse(
                status: 302,
                headers: ["Location": "/next", "Date": "Thu, 01 Jan 1970 00:00:00 GMT", "Content-Length": "999"],
                body: Array("moved".utf8))
        }
        let answer = try await RawClient.get("/", port: server.port)
        #expect(answer.contains("Location: /next\r\n"))
        #expect(answer.components(separatedBy: "Date: ").count == 2)
        #expect(answer.contains("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"))
        #expect(answer.contains("Content-Length: 5\r\n") && answer.hasSuffix("moved"))
        server.stop()
    }

    @Test("Responds to many requests at once")
    func concurrent() async throws {
        let server = try LoopbackServer.start(handler: Self.echo)
        let port = server.port
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    try await RawClient.get("/\(number)?", port: port).hasSuffix("/\(number)?|-|")
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        server.stop()
    }

    @Test("A stopped server calls no handler")
    func stopped() async throws {
        let server = try LoopbackServer.start { request in
            if request.url.path == "/stopped" { Issue.record("the handler was called") }
            return HTTPResponse(status: 200)
        }
        server.stop()
        server.stop()
        // Another test's server may have the port by now; this server gets no request.
        _ = try? await RawClient.get("/stopped", port: server.port)
    }

    @Test("Stopping does not wait for a hanging handler, and cancels it")
    func stopWhileAnswering() async throws {
        let arrived = Latch()
        let cancelled = Latch()
        let server = try LoopbackServer.start { _ in
            await withTaskCancellationHandler {
                arrived.open()
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return HTTPResponse(status: 200)
        }
        async let answer = RawClient.get("/", port: server.port)
        await arrived.wait()
        server.stop()
        await cancelled.wait()
        #expect(RawClient.status(try await answer) != 200)
    }

    @Test("A gentle stop lets a response finish")
    func gentleStop() async throws {
        let arrived = Latch()
        let mayReceive = Latch()
        let server = try LoopbackServer.start { _ in
            arrived.open()
            await mayReceive.wait()
            return HTTPResponse(status: 200, body: Array("done".utf8))
        }
        async let answer = RawClient.get("/", port: server.port)
        await arrived.wait()
        async let stopped: Void = server.stop(finishingWithin: 30)
        mayReceive.open()
        #expect(try await answer.hasSuffix("done"))
        await stopped
    }
}
