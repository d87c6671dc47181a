import Foundation
import Glibc
import KeyturnSystem
import LoopbackHTTP
import MSAL
import OAuthCore
import Testing

@Suite("curl transport")
struct CurlTransportTests {
    /// A server in this process shares its threads with every other test and may be slow on a busy machine.
    private static var transport: CurlTransport {
        CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600))
    }

    private static func address(_ server: LoopbackServer, _ path: String = "/") throws -> URL {
        try #require(URL(string: "http://localhost:\(server.port)\(path)"))
    }

    @Test("Sends method, path, fields and body; returns status, fields and body")
    func exchange() async throws {
        let seen = Locked<HTTPRequest?>(nil)
        let server = try LoopbackServer.start { request in
            seen.withLock { $0 = request }
            var response = HTTPResponse(
                status: 201, headers: ["Date": "Thu, 01 Jan 1970 00:00:00 GMT"], body: [0, 1, 255])
            response.headers.append("Set-Cookie", "a=1")
            response.headers.append("Set-Cookie", "b=2")
            return response
        }
        let url = try Self.address(server, "/token?x=%2F")
        let response = try await Self.transport.send(
            .form(["code": "a b&c"], to: url, headers: ["client-request-id": "1", "X-Empty": ""]))
        #expect(response.status == 201)
        #expect(response.body == [0, 1, 255])
        #expect(response.headers["date"] == "Thu, 01 Jan 1970 00:00:00 GMT")
        #expect(response.headers.all("Set-Cookie") == ["a=1", "b=2"])
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == .post)
        #expect(request.url == url)
        #expect(request.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(request.headers["Client-Request-Id"] == "1")
        #expect(request.headers["X-Empty"] == "")
        #expect(request.body == Array("code=a%20b%26c".utf8))
        server.stop()
    }

    @Test("Nothing is no form", arguments: [HTTPRequest.Method.post, .delete, .put])
    func nothing(method: HTTPRequest.Method) async throws {
        let seen = Locked<HTTPRequest?>(nil)
        let server = try LoopbackServer.start { request in
            seen.withLock { $0 = request }
            return HTTPResponse(status: 204)
        }
        for type in [nil, "application/json"] {
            let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
            _ = try await Self.transport.send(HTTPRequest(method, try Self.address(server), headers: headers))
            let request = try #require(seen.withLock { $0 })
            #expect(request.method == method && request.headers["Content-Type"] == type)
        }
        server.stop()
    }

    @Test(
        "A sink gets the body as it arrives, with the status and the headers, or stops the exchange",
        arguments: [true, false])
    func sink(takes: Bool) async throws {
        let body = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        let server = try LoopbackServer.start { _ in HTTPResponse(status: 404, headers: ["X-A": "b"], body: body) }
        let taken = Locked<[UInt8]>([])
        let transport = CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600, bodyBytes: 1))
        let url = try Self.address(server)
        do throws(TransportFailure) {
            let response = try await transport.send(HTTPRequest(.get, url)) { head, piece in
                guard takes, head.status == 404, head.headers["x-a"] == "b" else { return .stop }
                taken.withLock { $0 += piece }
                return .taken
            }
            #expect(takes && response.status == 404 && response.body.isEmpty)
            #expect(taken.withLock { $0 } == body)
        } catch {
            #expect(!takes && error.kind == .other)
        }
        server.stop()
    }

    @Test("Sends every method", arguments: [HTTPRequest.Method.get, .head, .post, .put, .patch, .delete, .options])
    func methods(method: HTTPRequest.Method) async throws {
        let server = try LoopbackServer.start {
            HTTPResponse(status: 200, headers: ["X-Method": $0.method.rawValue], body: $0.body)
        }
        let body: [UInt8] = [.get, .head].contains(method) ? [] : [1, 0, 2]
        let response = try await Self.transport.send(HTTPRequest(method, Self.address(server), body: body))
        #expect(response.headers["X-Method"] == method.rawValue)
        #expect(response.body == body)
        server.stop()
    }

    @Test("Returns a response with any status", arguments: [200, 204, 302, 400, 401, 429, 500, 503])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer.start { _ in HTTPResponse(status: status) }
        #expect(try await Self.transport.send(HTTPRequest(.get, Self.address(server))).status == status)
        server.stop()
    }

    @Test("Does not follow redirects, and keeps nothing between exchanges")
    func redirects() async throws {
        let paths = Locked<[String]>([])
        let server = try LoopbackServer.start { request in
            paths.withLock { $0.append(request.url.path) }
            return request.url.path == "/a"
                ? HTTPResponse(status: 307, headers: ["Location": "/b"], body: [1]) : HTTPResponse(status: 204)
        }
        let transport = Self.transport
        let first = try await transport.send(HTTPRequest(.post, Self.address(server, "/a"), body: [1]))
        #expect(first.status == 307 && first.headers["Location"] == "/b")
        let second = try await transport.send(HTTPRequest(.get, Self.address(server, "/c")))
        #expect(second.status == 204 && second.headers["Location"] == nil && second.body.isEmpty)
        #expect(paths.withLock { $0 } == ["/a", "/c"])
        server.stop()
    }

    @Test("Accepts a body of the maximum size and rejects one byte more", arguments: [(1000, true), (1001, false)])
    func bodyLimit(length: Int, isTaken: Bool) async throws {
        let server = try LoopbackServer.start { _ in
            HTTPResponse(status: 200, body: [UInt8](repeating: 7, count: length))
        }
        let transport = CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600, bodyBytes: 1000))
        do {
            let response = try await transport.send(HTTPRequest(.get, Self.address(server)))
            #expect(isTaken && response.body.count == length)
        } catch let failure as TransportFailure {
            #expect(!isTaken && failure.kind == .bodyTooLarge)
            #expect(failure.reason == "localhost sent 1001 bytes, but the limit for a response is 1000 bytes.")
        }
        server.stop()
    }

    @Test("Cuts the body of an unsuccessful response, and keeps its status", arguments: [400, 503, 307])
    func longError(status: Int) async throws {
        let server = try LoopbackServer.start { _ in
            HTTPResponse(status: status, body: [UInt8](repeating: 7, count: 5000))
        }
        defer { server.stop() }
        let transport = CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600, bodyBytes: 1000))
        for _ in 0..<2 {
            let response = try await transport.send(HTTPRequest(.get, Self.address(server)))
            #expect(response.status == status && response.isCut && response.body.count <= 1000)
        }
    }

    @Test("Limits the size of header fields")
    func headerLimit() async throws {
        let server = try LoopbackServer.start { _ in
            var response = HTTPResponse(status: 200)
            for number in 0...1024 { response.headers.append("X-\(number)", "1") }
            return response
        }
        let failure = await #expect(throws: TransportFailure.self) {
            try await Self.transport.send(HTTPRequest(.get, Self.address(server)))
        }
        #expect(failure?.kind == .bodyTooLarge)
        #expect(
            failure?.reason == "localhost sent too large a header: the limit is 262144 bytes in 1024 fields.")
        server.stop()
    }

    @Test("Reports a port on which nothing listens")
    func failedConnection() async throws {
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: false)
        defer { close(socket) }
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/secret?code=hidden"))
        let failure = await #expect(throws: TransportFailure.self) {
            try await Self.transport.send(HTTPRequest(.get, url))
        }
        #expect(failure?.kind == .couldNotConnect)
        #expect(failure?.reason == "Connection refused.")
        #expect(failure?.reason.contains("hidden") == false)
    }

    @Test("Reports a host without an address")
    func unknownHost() async throws {
        // RFC 6761: `.invalid` never resolves.
        let url = try #require(URL(string: "https://authority.invalid/"))
        let failure = await #expect(throws: TransportFailure.self) {
            try await Self.transport.send(HTTPRequest(.get, url))
        }
        #expect(failure?.reason.contains("authority.invalid") == true)
    }

    @Test("A CA file that cannot be read is rejected before a request is sent")
    func missingAuthorities() async throws {
        let server = try LoopbackServer.start { _ in HTTPResponse(status: 200) }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let failure = await #expect(throws: TransportFailure.self) {
            try await CurlTransport(certificateAuthorityFile: "/nonexistent.pem").send(HTTPRequest(.get, url))
        }
        #expect(failure?.kind == .unsafeAuthorities)
        server.stop()
    }

    @Test("https to a server that does not support it fails")
    func noTLS() async throws {
        let server = try LoopbackServer.start { _ in HTTPResponse(status: 200) }
        let url = try #require(URL(string: "https://localhost:\(server.port)/"))
        let failure = await #expect(throws: TransportFailure.self) {
            try await Self.transport.send(HTTPRequest(.get, url))
        }
        // The server may close the connection before its plain text is read.
        #expect(failure?.kind == .plainHTTP || failure?.kind == .couldNotConnect)
        server.stop()
    }

    @Test(
        "Requires https, except on this machine",
        arguments: [
            "http://example.com/", "http://localhost.example.com/", "http://127.0.0.256/", "ftp://localhost/",
            "file:///etc/passwd",
        ])
    func insecure(address: String) async throws {
        let url = try #require(URL(string: address))
        let failure = await #expect(throws: TransportFailure.self) {
            try await Self.transport.send(HTTPRequest(.get, url))
        }
        #expect(failure?.kind == .other)
        #expect(failure?.reason.contains("https") == true)
    }

    @Test("Reaches every loopback address without https")
    func loopback() async throws {
        let server = try LoopbackServer.start(address: "127.0.0.2") { _ in HTTPResponse(status: 204) }
        defer { server.stop() }
        let url = try #require(URL(string: "http://127.0.0.2:\(server.port)/"))
        #expect(try await Self.transport.send(HTTPRequest(.get, url)).status == 204)
    }

    @Test("A header field cannot inject another one", arguments: ["a\r\nX-Other: b", "a\nb", "a\0b"])
    func smuggling(value: String) async throws {
        let server = try LoopbackServer.start { _ in HTTPResponse(status: 200) }
        await #expect(throws: TransportFailure.self) {
            try await Self.transport.send(
                HTTPRequest(.get, Self.address(server), headers: ["X-Test": value]))
        }
        server.stop()
    }

    @Test("Gives up on a server that does not respond")
    func timeout() async throws {
        let done = Latch()
        let server = try LoopbackServer.start { _ in
            await done.wait()
            return HTTPResponse(status: 200)
        }
        let transport = CurlTransport(limits: .init(totalSeconds: 0.05))
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(HTTPRequest(.get, Self.address(server)))
        }
        #expect(failure?.kind == .timedOut)
        done.open()
        server.stop()
    }

    @Test("A request without a limit of time ends when no data comes")
    func idle() async throws {
        let done = Latch()
        let server = try LoopbackServer.start { _ in
            await done.wait()
            return HTTPResponse(status: 200)
        }
        let transport = CurlTransport(limits: .init(totalSeconds: .infinity, idleSeconds: 1))
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(HTTPRequest(.get, Self.address(server)))
        }
        #expect(failure == TransportFailure(.timedOut, reason: "no data came for 1 seconds."))
        done.open()
        server.stop()
    }

    @Test("A request that needs only the headers doesn't wait for a body that never ends")
    func headersOnly() async throws {
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: true)
        defer { close(socket) }
        // A thread, because other tests can occupy those of all tasks.
        Thread.detachNewThread {
            let connection = Int32(RawClient.uninterrupted { Int(accept(socket, nil, nil)) })
            defer { close(connection) }
            let head = Array("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n\r\n".utf8)
            _ = send(connection, head, head.count, Int32(MSG_NOSIGNAL))
            // The request, then nothing until the client closes the connection.
            var chunk = [UInt8](repeating: 0, count: 4096)
            while RawClient.uninterrupted({ recv(connection, &chunk, chunk.count, 0) }) > 0 {}
        }
        var request = HTTPRequest(.get, try #require(URL(string: "http://127.0.0.1:\(port)/")))
        request.needsOnlyHeaders = true
        let response = try await CurlTransport().send(request)
        #expect(response.status == 401 && response.headers["WWW-Authenticate"] == "Bearer" && response.body.isEmpty)
    }

    @Test("A document ends after 10 s without a byte and a token request after 30 s")
    func usualLimits() throws {
        let url = try #require(URL(string: "https://a.example"))
        let document = HTTPRequest(.get, url)
        let tokens = HTTPRequest.form(["grant_type": "refresh_token"], to: url)
        let usual = CurlTransport.Limits(totalSeconds: 300, isUsual: true)
        #expect(usual.idleSeconds(for: document) == 10 && usual.idleSeconds(for: tokens) == 30)
        #expect(CurlTransport.Limits(totalSeconds: 5, isUsual: true).idleSeconds(for: tokens) == 5)
        #expect(CurlTransport.Limits(totalSeconds: 300).idleSeconds(for: document) == nil)
    }

    @Test("Gives up on a body that arrives byte by byte, and the server can stop meanwhile")
    func slowDrip() async throws {
        let server = try LoopbackServer.start { _ in
            var response = HTTPResponse(status: 200, body: Array(repeating: UInt8(ascii: " "), count: 10_000))
            response.secondsPerByte = 0.01
            return response
        }
        let transport = CurlTransport(limits: .init(totalSeconds: 0.2))
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(HTTPRequest(.get, Self.address(server)))
        }
        #expect(failure?.kind == .timedOut)
        #expect(failure?.reason.contains(" bytes received") == true)
        server.stop()
    }

    @Test("A slow body within the limit arrives complete")
    func drip() async throws {
        let server = try LoopbackServer.start { _ in
            var response = HTTPResponse(status: 200, body: [1, 0, 255])
            response.secondsPerByte = 0.001
            return response
        }
        #expect(try await Self.transport.send(HTTPRequest(.get, Self.address(server))).body == [1, 0, 255])
        server.stop()
    }

    @Test("A connection fails before 'keyturn check' gives up, soonest on this computer")
    func connectLimits() {
        let limits = CurlTransport.Limits()
        #expect(limits.connectSeconds(isLoopback: true) <= 5 && limits.connectSeconds(isLoopback: false) < 15)
        #expect(CurlTransport.Limits(connectSeconds: 1).connectSeconds(isLoopback: false) == 1)
    }

    @Test("Accepts any number as a time limit", arguments: [0, -1, 1e300, .infinity, .nan])
    func oddLimits(seconds: Double) async throws {
        let server = try LoopbackServer.start { _ in HTTPResponse(status: 200) }
        let transport = CurlTransport(limits: .init(connectSeconds: seconds, totalSeconds: seconds))
        do {
            #expect(try await transport.send(HTTPRequest(.get, Self.address(server))).status == 200)
        } catch let failure as TransportFailure {
            #expect(failure.kind == .timedOut && !(seconds > 1))
        }
        server.stop()
    }

    @Test("Cancelling ends the exchange, and the transport stays usable")
    func cancellation() async throws {
        let arrived = Latch()
        let done = Latch()
        let server = try LoopbackServer.start { request in
            guard request.url.path == "/hang" else { return HTTPResponse(status: 200) }
            arrived.open()
            await done.wait()
            return HTTPResponse(status: 200)
        }
        let transport = Self.transport
        let hanging = try Self.address(server, "/hang")
        let task = Task { try await transport.send(HTTPRequest(.get, hanging)) }
        await arrived.wait()
        task.cancel()
        // The server responds only afterwards: this returns because of the cancellation.
        let failure = await #expect(throws: TransportFailure.self) { try await task.value }
        #expect(failure?.kind == .cancelled)
        done.open()
        #expect(try await transport.send(HTTPRequest(.get, Self.address(server))).status == 200)
        server.stop()
    }

    @Test("A request of one-time work is finished after the cancellation if it was sent, and else never sent")
    func oneTimeWork() async throws {
        let arrived = Latch()
        let done = Latch()
        let server = try LoopbackServer.start { _ in
            arrived.open()
            await done.wait()
            return HTTPResponse(status: 200)
        }
        let transport = Self.transport
        func start(_ url: URL) -> Task<Int, any Error> {
            Task {
                // Sleeps until the work has ended.
                try await OneTimeWork.run(sleep: { _ in for await _ in AsyncStream<Never>.makeStream().stream {} }) {
                    try await transport.send(.form(["code": "1"], to: url)).status
                }
            }
        }
        let sent = start(try Self.address(server))
        await arrived.wait()
        sent.cancel()
        done.open()
        #expect(try await sent.value == 200)

        // The connection opens, but no TLS session, so the request waits.
        let (socket, port) = try RawClient.holder(of: "127.0.0.1", listens: true)
        let unsent = start(try #require(URL(string: "https://127.0.0.1:\(port)/token")))
        let connection = try await RawClient.off { accept(socket, nil, nil) }
        unsent.cancel()
        let failure = await #expect(throws: TransportFailure.self) { try await unsent.value }
        #expect(failure?.kind == .cancelled)
        for descriptor in [connection, socket] { close(descriptor) }
        #expect(try await transport.send(HTTPRequest(.get, Self.address(server))).status == 200)
        server.stop()
    }

    @Test("A cancelled task sends nothing")
    func cancelledBefore() async throws {
        let server = try LoopbackServer.start { _ in
            Issue.record("a request arrived")
            return HTTPResponse(status: 200)
        }
        let url = try Self.address(server)
        let start = Latch()
        let task = Task {
            await start.wait()
            return try await Self.transport.send(HTTPRequest(.get, url))
        }
        task.cancel()
        start.open()
        let failure = await #expect(throws: TransportFailure.self) { try await task.value }
        #expect(failure?.kind == .cancelled)
        server.stop()
    }

    @Test("Many exchanges at once do not mix")
    func concurrent() async throws {
        let server = try LoopbackServer.start { HTTPResponse(status: 200, body: Array($0.url.path.utf8)) }
        let transport = Self.transport
        let base = try Self.address(server)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let url = base.appending(path: "\(number)")
                    return try await transport.send(HTTPRequest(.get, url)).text == "/\(number)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
        server.stop()
    }

    @Test("A header field with a control character is not sent", arguments: ["\r\n", "\n", "\r", "\0", "\u{7F}", "\t"])
    func controlCharacters(character: String) async throws {
        let url = try #require(URL(string: "http://localhost:9/"))
        for headers in [["X-A": "a\(character)b"], ["X\(character)A": "a"]] as [HTTPHeaders] {
            let error = await #expect(throws: TransportFailure.self) {
                _ = try await Self.transport.send(HTTPRequest(.get, url, headers: headers))
            }
            #expect(error?.reason.contains("contains a control character") == true)
        }
    }
}
