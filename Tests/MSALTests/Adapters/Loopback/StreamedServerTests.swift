import Foundation
import Glibc
import LoopbackHTTP
import OAuthCore
import Testing

@Suite("Streamed exchanges")
struct StreamedServerTests {
    private static func serve(
        limits: LoopbackServer.Limits = .init(),
        _ respond: @escaping @Sendable (HTTPRequest, StreamedExchange) async -> Bool
    ) throws -> LoopbackServer {
        let server = try LoopbackServer(
            port: 0, socket: nil, limits: limits, stream: Handler(response: respond))
        try server.serve()
        return server
    }

    private struct Handler: StreamHandler {
        var response: @Sendable (HTTPRequest, StreamedExchange) async -> Bool = { _, _ in false }

        func admit(_ request: HTTPRequest) -> HTTPResponse? {
            request.url.path() == "/no" ? HTTPResponse(status: 403) : nil
        }

        func reject(_ status: Int, _ reason: String) -> HTTPResponse {
            HTTPResponse(status: status, body: Array(reason.utf8))
        }

        func respond(to request: HTTPRequest, on stream: StreamedExchange) async -> Bool {
            await response(request, stream)
        }
    }

    private static func request(_ line: String, _ server: LoopbackServer, _ fields: String = "", body: String = "")
        -> String
    {
        "\(line) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\(fields)\r\n\(body)"
    }

    @Test("Passes the body on, and the response back")
    func echo() async throws {
        let server = try Self.serve { _, stream in
            guard stream.begin(HTTPResponse(status: 200), isStreamed: true) else { return false }
            var piece = [UInt8](repeating: 0, count: 100)
            while let body = stream.body {
                let count = piece.withUnsafeMutableBytes { body.read(into: $0) }
                guard count > 0 else { return count == 0 }
                guard stream.write(Array(piece.prefix(count))) else { return false }
            }
            return true
        }
        let answer = try await RawClient.exchange(
            port: server.port, Self.request("POST /", server, "Content-Length: 5\r\n", body: "hello"))
        #expect(RawClient.status(answer) == 200 && answer.contains("hello"))
        let empty = try await RawClient.exchange(port: server.port, Self.request("GET /", server))
        #expect(RawClient.status(empty) == 200)
        server.stop()
    }

    @Test(
        "Rejects before the body",
        arguments: ["", "Origin: null\r\n", "Sec-Fetch-Site: none\r\n", "X-Forwarded-For: a\r\n"])
    func rejected(field: String) async throws {
        let server = try Self.serve { _, _ in
            Issue.record("the handler was called")
            return false
        }
        let text = Self.request(
            field.isEmpty ? "POST /no" : "POST /", server,
            "\(field)Content-Length: 1000000000\r\nExpect: 100-continue\r\n")
        #expect(RawClient.status(try await RawClient.exchange(port: server.port, text)) == 403)
        let rebound = "GET / HTTP/1.1\r\nHost: evil.example:\(server.port)\r\nConnection: close\r\n\r\n"
        #expect(RawClient.status(try await RawClient.exchange(port: server.port, rebound)) == 421)
        server.stop()
    }

    @Test("A handler that breaks off leaves the client no whole response")
    func broken() async throws {
        let server = try Self.serve { request, stream in
            let head = HTTPResponse(status: 200, headers: ["Content-Length": "10"])
            let isKnown = request.url.path() == "/known"
            _ = stream.begin(isKnown ? head : HTTPResponse(status: 200), isStreamed: true)
            _ = stream.write(Array("part".utf8))
            return false
        }
        let known = try await RawClient.exchange(port: server.port, Self.request("GET /known", server))
        #expect(known.hasSuffix("part"))
        let chunked = try await RawClient.exchange(port: server.port, Self.request("GET /", server))
        #expect(!chunked.hasSuffix("0\r\n\r\n"))
        server.stop()
    }

    @Test("A client that leaves in the middle of its body breaks the body")
    func incomplete() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        // A client that is gone before it is known gets nothing.
        let began = Latch()
        let server = try Self.serve { _, stream in
            began.open()
            var piece = [UInt8](repeating: 0, count: 100)
            var last = 1
            while let body = stream.body, last > 0 { last = piece.withUnsafeMutableBytes { body.read(into: $0) } }
            end.yield(last)
            return false
        }
        let client = try RawClient.connected(port: server.port)
        let text = Self.request("POST /", server, "Content-Length: 10\r\n", body: "part")
        _ = text.withCString { send(client, $0, strlen($0), 0) }
        await began.wait()
        close(client)
        #expect(await ends.first { _ in true } == -1)
        server.stop()
    }

    @Test("A client that leaves, and the end of the server, cancel a handler", arguments: [true, false])
    func cancelled(leaves: Bool) async throws {
        let began = Latch()
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let server = try Self.serve { _, stream in
            _ = stream.begin(HTTPResponse(status: 200), isStreamed: true)
            began.open()
            for await _ in AsyncStream<Never>.makeStream().stream {}
            end.yield(Task.isCancelled)
            return false
        }
        let client = try RawClient.connected(port: server.port)
        let text = Self.request("GET /", server)
        _ = text.withCString { send(client, $0, strlen($0), 0) }
        await began.wait()
        if leaves { close(client) } else { server.stop() }
        #expect(await ends.first { _ in true } == true)
        if !leaves { close(client) }
        server.stop()
    }

    @Test("A header over the limit gets 431")
    func header() async throws {
        let server = try Self.serve(limits: .init(memoryBytes: 32 << 10)) { _, _ in false }
        let text = Self.request("GET /", server, "X: \(String(repeating: "x", count: 60 << 10))\r\n")
        #expect(RawClient.status(try await RawClient.exchange(port: server.port, text)) == 431)
        server.stop()
    }

    @Test("A Unix socket has mode 0600, isn't shared, and replaces one whose program has ended")
    func unixSocket() throws {
        let path = FileManager.default.temporaryDirectory.path + "/keyturn-\(UInt64.random(in: 0 ... .max))"
        func open() throws -> LoopbackServer {
            try LoopbackServer(port: 0, socket: path, limits: .init(), stream: Handler())
        }
        defer { unlink(path) }
        let first = try open()
        var file = stat()
        #expect(lstat(path, &file) == 0 && file.st_mode & 0o777 == 0o600)
        #expect(throws: LoopbackServerFailure.self) { try open() }
        first.stop()
        try open().stop()
        unlink(path)
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(throws: LoopbackServerFailure.self) { try open() }
    }
}
