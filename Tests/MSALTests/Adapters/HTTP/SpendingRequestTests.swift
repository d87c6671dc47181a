import Foundation
import MSAL
import OAuthCore
import Testing

/// libcurl repeats a request by itself when a kept connection turns out to be closed.
@Suite("Requests that must not be repeated")
struct SpendingRequestTests {
    private static var transport: CurlTransport {
        CurlTransport(limits: .init(connectSeconds: 600, totalSeconds: 600))
    }

    private static func url(_ server: ClosingServer) throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)/token"))
    }

    @Test("Use a new connection each, and arrive once")
    func once() async throws {
        let server = try ClosingServer { _ in "200 OK" }
        defer { server.stop() }
        let transport = Self.transport
        let url = try Self.url(server)
        #expect(try await transport.send(HTTPRequest(.get, url)).status == 200)
        for _ in 0..<2 {
            let response = try await transport.send(.form(["grant_type": "refresh_token"], to: url))
            #expect(response.status == 200)
        }
        #expect(server.counts == .init(connections: 3, requests: ["GET": 1, "POST": 2]))
    }

    @Test("Arrive once when the server closes without a response")
    func closed() async throws {
        let server = try ClosingServer { $0 == "GET" ? "200 OK" : nil }
        defer { server.stop() }
        let transport = Self.transport
        let url = try Self.url(server)
        #expect(try await transport.send(HTTPRequest(.get, url)).status == 200)
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(.form(["code": "1"], to: url))
        }
        #expect(failure?.kind == .connectionLost)
        #expect(server.counts.requests["POST"] == 1)
    }

    @Test("Use a new connection too if they have a one-time signature", arguments: ["DPoP", "Authorization"])
    func bound(field: String) async throws {
        let server = try ClosingServer { _ in "200 OK" }
        defer { server.stop() }
        let transport = Self.transport
        let url = try Self.url(server)
        #expect(try await transport.send(HTTPRequest(.get, url)).status == 200)
        let request = HTTPRequest(.get, url, headers: [field: "PoP signed"])
        #expect(try await transport.send(request).status == 200)
        #expect(server.counts == .init(connections: 2, requests: ["GET": 2]))
    }

    @Test("Differ from requests that only read, which may use a kept connection")
    func reading() async throws {
        let server = try ClosingServer { _ in "200 OK" }
        defer { server.stop() }
        let transport = Self.transport
        let request = HTTPRequest(.get, try Self.url(server))
        // On its own queue: behind the jobs of all other tests, the second request can come after 118 seconds, for which
        // libcurl keeps a connection at most.
        try await withTaskExecutorPreference(QueueExecutor()) {
            for _ in 0..<2 {
                let response = try await transport.send(request)
                #expect(response.status == 200)
            }
        }
        // The second request arrived on the kept connection, which closed, and again on a new one.
        #expect(server.counts == .init(connections: 2, requests: ["GET": 3]))
    }
}

/// Runs a task on a queue of its own.
private final class QueueExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "task")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
