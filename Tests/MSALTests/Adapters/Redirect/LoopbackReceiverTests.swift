import Foundation
import KeyturnSystem
import OAuthCore
import Testing

@testable import MSAL

/// Takes responses with `state=right`, and records everything it was given.
private final class Recipient: Sendable {
    private let given = Locked<[String]>([])

    func take(_ url: URL) -> Bool {
        given.withLock { $0.append(url.absoluteString) }
        return url.query()?.contains("state=right") == true
    }

    var urls: [String] { given.withLock { $0 } }
}

@Suite("Loopback receiver")
struct LoopbackReceiverTests {
    private func open(
        _ redirectURI: String, for recipient: Recipient, pagePatience: Double = 0
    ) async throws -> (receiver: any OpenRedirectReceiver, port: UInt16) {
        let url = try #require(URL(string: redirectURI))
        let receiver = try await LoopbackReceiver(application: "Fish & <Chips>", pagePatience: pagePatience).open(
            RedirectURI(url: url, kind: .loopback, isBrokerCapable: false)
        ) { recipient.take($0) }
        return (receiver, UInt16(receiver.redirectURI.port ?? 0))
    }

    @Test(
        "Reports the configured URI with the bound port",
        arguments: [
            ("http://localhost", "http://localhost:PORT"), ("http://127.0.0.1/", "http://127.0.0.1:PORT/"),
            ("http://[::1]/a/b", "http://[::1]:PORT/a/b"), ("HTTP://LocalHost/x?y=1", "http://localhost:PORT/x?y=1"),
        ])
    func redirectURI(configured: String, reported: String) async throws {
        let (receiver, port) = try await open(configured, for: Recipient())
        #expect(port != 0)
        #expect(receiver.redirectURI.absoluteString == reported.replacingOccurrences(of: "PORT", with: "\(port)"))
        await receiver.close()
    }

    @Test(
        "Rejects addresses it cannot bind",
        arguments: [
            "https://localhost", "http://example.com", "http://localhost.example.com", "http://127.0.0.256",
            "http://user@localhost", "http://localhost/#part", "msauth.org.keyturn.app://auth",
            "http://localhost:70000", "http://[::2]/",
        ])
    func rejects(redirectURI: String) async throws {
        await #expect(throws: RedirectReceiverFailure.self) { try await open(redirectURI, for: Recipient()) }
    }

    @Test("Whoever takes a response may call back", .timeLimit(.minutes(1))) func callBack() throws {
        let asked = Locked<LoopbackDesk?>(nil)
        let desk = LoopbackDesk { _ in asked.withLock(\.self)?.hasOutcome == true }
        asked.withLock { $0 = desk }
        desk.open(redirectURI: try #require(URL(string: "http://127.0.0.1:8400/")), port: 8400)
        let url = try #require(URL(string: "http://127.0.0.1:8400/?code=a&state=b"))
        for _ in 1...2 {
            #expect(desk.respond(to: HTTPRequest(.get, url, headers: ["Host": "127.0.0.1:8400"])).status < 400)
            #expect(desk.hasOutcome)
        }
    }

    @Test("Reads 256 KiB of cookies; helps a browser with more, and tells who came") func cookies() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/back", for: recipient)
        func get(cookies: Int) async throws -> String {
            try await RawClient.get(
                "/back?code=1&state=right", port: port,
                fields: ["Cookie: \(String(repeating: "a=\(String(repeating: "b", count: 1020)); ", count: cookies))"])
        }
        let page = try await get(cookies: 700)
        #expect(RawClient.status(page) == 431)
        #expect(page.contains("<h1>Too many cookies</h1>"))
        #expect(recipient.urls.isEmpty)
        #expect(RawClient.status(try await get(cookies: 250)) == 303)
        var visits = receiver.visits.makeAsyncIterator()
        #expect(await visits.next() == .oversized)
        #expect(await visits.next() == .request)
        await receiver.close()
    }

    @Test("A response to another path is told, and isn't the response; any other request there isn't")
    func elsewhere() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/back", for: recipient)
        for (path, status) in [("/favicon.ico", 404), ("/back/other?code=1&state=right", 404), ("/back", 400)] {
            #expect(RawClient.status(try await RawClient.get(path, port: port)) == status)
        }
        #expect(!recipient.urls.contains { $0.contains("other") })
        var visits = receiver.visits.makeAsyncIterator()
        #expect(await visits.next() == .elsewhere)
        #expect(await visits.next() == .request)
        await receiver.close()
    }

    @Test(
        "A flood of headers is told too: many tiny cookies, and one long line",
        arguments: [String(repeating: "a=;", count: 180_000), String(repeating: "b", count: 1_000_000)])
    func flood(cookies: String) async throws {
        let (receiver, port) = try await open("http://localhost/back", for: Recipient())
        let page = try await RawClient.get("/back?code=1&state=right", port: port, fields: ["Cookie: \(cookies)"])
        #expect(RawClient.status(page) == 431 && page.contains("<h1>Too many cookies</h1>"))
        var visits = receiver.visits.makeAsyncIterator()
        #expect(await visits.next() == .oversized)
        await receiver.close()
    }

    @Test("Tells of a browser that insists on https, once, and waits for the response") func tls() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/back", for: recipient)
        for _ in 0..<2 {
            let answer = try await RawClient.exchange(port: port, "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}")
            #expect(RawClient.status(answer) == 400)
            #expect(answer.contains("begins with http://"))
        }
        #expect(RawClient.status(try await RawClient.get("/back?code=1&state=right", port: port)) == 303)
        var visits = receiver.visits.makeAsyncIterator()
        #expect(await visits.next() == .secure)
        #expect(await visits.next() == .request)
        await receiver.close()
    }

    @Test("Reports a port in use")
    func taken() async throws {
        let (first, port) = try await open("http://localhost", for: Recipient())
        let failure = await #expect(throws: RedirectReceiverFailure.self) {
            try await open("http://localhost:\(port)", for: Recipient())
        }
        #expect(failure?.reason.contains("\(port)") == true)
        await first.close()
    }

    @Test("Passes on a query, then redirects to a page without it")
    func query() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/back", for: recipient)
        let answer = try await RawClient.get("/back?code=s%2Fcret&state=right", port: port)
        #expect(recipient.urls == ["http://localhost:\(port)/back?code=s%2Fcret&state=right"])
        #expect(RawClient.status(answer) == 303)
        #expect(answer.contains("Location: \(LoopbackReception.resultPath)\r\n"))
        let page = try await RawClient.get(LoopbackReception.resultPath, port: port)
        #expect(RawClient.status(page) == 200)
        #expect(page.contains("go back to Fish &amp; &lt;Chips&gt;"))
        for text in [answer, page] {
            #expect(!text.contains("cret"))
            #expect(text.contains("Cache-Control: no-store\r\n"))
            #expect(text.contains("Referrer-Policy: no-referrer\r\n"))
            #expect(text.contains("Content-Security-Policy: default-src 'none';"))
        }
        await receiver.close()
    }

    @Test("Accepts form_post with its content type only, and any bytes in it")
    func formPost() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://127.0.0.1", for: recipient)
        let rejected = try await RawClient.get(
            "/", port: port, method: "POST", fields: ["Content-Type: text/plain"], body: "state=right")
        #expect(RawClient.status(rejected) == 415)
        #expect(recipient.urls.isEmpty)
        let fields = [
            "Content-Type: application/x-www-form-urlencoded; charset=utf-8", "Origin: https://authority.test",
        ]
        let answer = try await RawClient.get(
            "/", port: port, method: "POST", fields: fields, body: "code=a+b&#\" &state=right")
        #expect(RawClient.status(answer) == 303)
        #expect(
            recipient.urls == ["http://127.0.0.1:\(port)?code=a%20b&%23%22%20=&state=right"])
        await receiver.close()
    }

    @Test("Other requests do not end the wait")
    func strays() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/back", for: recipient)
        let right = "/back?state=right"
        let strays: [(String, String, String, Int)] = [
            ("GET", "/favicon.ico", "localhost:\(port)", 404), ("GET", "/", "localhost:\(port)", 404),
            ("GET", "/back/more?state=right", "localhost:\(port)", 404),
            ("GET", LoopbackReception.resultPath, "localhost:\(port)", 404),
            ("HEAD", right, "localhost:\(port)", 405), ("OPTIONS", right, "localhost:\(port)", 405),
            ("PUT", right, "localhost:\(port)", 405), ("GET", right, "evil.example:\(port)", 400),
            ("GET", right, "localhost", 400), ("GET", right, "localhost:1", 400),
            ("GET", right, "127.0.0.1.evil.example:\(port)", 400),
        ]
        for (method, target, host, status) in strays {
            let answer = try await RawClient.get(target, port: port, method: method, host: host)
            #expect(RawClient.status(answer) == status, "\(method) \(target) at \(host)")
        }
        #expect(recipient.urls.isEmpty)
        // These look right but belong to another sign-in.
        for target in ["/back?code=1&state=wrong", "/back"] {
            let answer = try await RawClient.get(target, port: port)
            #expect(RawClient.status(answer) == 400)
            #expect(answer.contains("&lt;Chips&gt; is still waiting"))
        }
        #expect(recipient.urls.count == 2)
        #expect(RawClient.status(try await RawClient.get(right, port: port)) == 303)
        await receiver.close()
    }

    @Test("Accepts every name of this machine", arguments: ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"])
    func hosts(host: String) async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost", for: recipient)
        let address = host == "[::1]" ? "::1" : "127.0.0.1"
        let answer = try await RawClient.get("/?state=right", port: port, address: address, host: "\(host):\(port)")
        #expect(RawClient.status(answer) == 303)
        await receiver.close()
    }

    @Test("Delivers one response, and shows the page again for later ones")
    func once() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost", for: recipient)
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<12 {
                group.addTask { RawClient.status(try await RawClient.get("/?state=right", port: port)) }
            }
            for try await status in group { #expect(status == 303) }
        }
        #expect(recipient.urls.count == 1)
        await receiver.close()
    }

    @Test(
        "An authorization error is shown as one, without the authority's words",
        arguments: [("access_denied", "The sign-in was cancelled"), ("server_error", "The sign-in was rejected")])
    func rejection(error: String, title: String) async throws {
        let (receiver, port) = try await open("http://localhost", for: Recipient())
        let target = "/?error=\(error)&error_description=%3Cscript%3E&state=right"
        #expect(RawClient.status(try await RawClient.get(target, port: port)) == 303)
        let page = try await RawClient.get(LoopbackReception.resultPath, port: port)
        #expect(page.contains(title))
        #expect(!page.contains("script>") && !page.contains(error))
        await receiver.close()
    }

    @Test("Closing lets the browser fetch the page, and then accepts nothing")
    func close() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/once", for: recipient, pagePatience: 600)
        _ = try await RawClient.get("/once?state=right", port: port)
        async let closed: Void = receiver.close()
        #expect(try await RawClient.get(LoopbackReception.resultPath, port: port).contains("Back to Fish"))
        await closed
        // Another test may have the port by now; this receiver has released it.
        _ = try? await RawClient.get("/once?state=wrong", port: port)
        #expect(recipient.urls.count == 1)
    }

    @Test("A failed sign-in, which cancels its wait, still lets the browser fetch the page")
    func closeCancelled() async throws {
        let (receiver, port) = try await open("http://localhost", for: Recipient(), pagePatience: 600)
        _ = try await RawClient.get("/?error=server_error&state=right", port: port)
        let closing = Task { await receiver.close() }
        closing.cancel()
        #expect(try await RawClient.get(LoopbackReception.resultPath, port: port).contains("rejected"))
        await closing.value
    }

    @Test("Closing without a response does not wait")
    func closeEarly() async throws {
        let recipient = Recipient()
        let (receiver, port) = try await open("http://localhost/early", for: recipient, pagePatience: 600)
        await receiver.close()
        _ = try? await RawClient.get("/early?state=right", port: port)
        #expect(recipient.urls.isEmpty)
    }
}
