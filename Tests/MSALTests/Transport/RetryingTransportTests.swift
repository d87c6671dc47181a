import Foundation
import OAuthCore
import TestSupport
import Testing

@testable import MSAL

/// When a request is sent again, and after how long (docs/upstream-behaviour.md §9.2).
@Suite("Retries", .oneSessionAtATime) struct RetryingTransportTests {
    enum Answer: Sendable, CustomTestStringConvertible {
        case status(Int)
        /// With `Retry-After`.
        case later(Int)
        case failure(TransportFailure.Kind)

        var testDescription: String {
            switch self {
            case .status(let status): "\(status)"
            case .later(let status): "\(status), come back later"
            case .failure(let kind): "\(kind)"
            }
        }

        var result: Result<HTTPResponse, TransportFailure> {
            switch self {
            case .status(let status): .success(HTTPResponse(status: status))
            case .later(let status): .success(HTTPResponse(status: status, headers: ["Retry-After": "1"]))
            case .failure(let kind): .failure(TransportFailure(kind, reason: "as scripted"))
            }
        }

        var scripted: ScriptedTransport.Answer {
            let result = result
            return { (_: HTTPRequest) throws(TransportFailure) -> HTTPResponse in try result.get() }
        }
    }

    private static func transport(_ answers: [Answer]) -> ScriptedTransport {
        ScriptedTransport(answers.map(\.scripted))
    }

    private static let table:
        [(answers: [Answer], count: Int, method: HTTPRequest.Method, requests: Int, ends: String)] = [
            ([.status(200)], 1, .get, 1, "200"),
            ([.status(400)], 1, .get, 1, "400"),
            ([.status(429)], 1, .get, 1, "429"),
            ([.status(500), .status(200)], 1, .get, 2, "200"),
            ([.status(503), .status(503), .status(200)], 1, .get, 2, "503"),
            ([.status(503), .status(502), .status(200)], 2, .get, 3, "200"),
            ([.status(503), .status(200)], 0, .get, 1, "503"),
            ([.status(503), .status(200)], -1, .get, 1, "503"),
            ([.failure(.couldNotResolveHost), .status(200)], 1, .get, 2, "200"),
            ([.failure(.couldNotConnect), .status(200)], 1, .get, 2, "200"),
            ([.failure(.timedOut), .status(200)], 1, .get, 1, "timedOut"),
            ([.failure(.connectionLost), .failure(.timedOut)], 1, .get, 2, "timedOut"),
            ([.failure(.connectionLost), .status(500)], 1, .get, 2, "500"),
            ([.failure(.untrustedCertificate), .status(200)], 1, .get, 1, "untrustedCertificate"),
            ([.failure(.bodyTooLarge), .status(200)], 1, .get, 1, "bodyTooLarge"),
            ([.failure(.cancelled), .status(200)], 1, .get, 1, "cancelled"),
            ([.failure(.other), .status(200)], 1, .get, 1, "other"),
            ([.status(501), .status(200)], 1, .get, 2, "200"),
            ([.status(401), .status(200)], 1, .get, 1, "401"),
            ([.status(408), .status(200)], 1, .get, 1, "408"),
            ([.later(503), .status(200)], 1, .get, 1, "503"),
            ([.later(429), .status(200)], 1, .get, 1, "429"),
            ([.status(503), .later(503), .status(200)], 2, .get, 2, "503"),
            ([.failure(.foreignPort), .status(200)], 1, .get, 1, "foreignPort"),
            ([.status(500), .status(200)], 1, .post, 1, "500"),
            ([.status(502), .status(200)], 1, .post, 1, "502"),
            ([.status(503), .status(200)], 2, .post, 1, "503"),
            ([.status(504), .status(200)], 1, .post, 1, "504"),
            ([.failure(.couldNotConnect), .status(503), .status(200)], 2, .post, 2, "503"),
            ([.later(503), .status(200)], 1, .post, 1, "503"),
            ([.status(400), .status(200)], 1, .post, 1, "400"),
            ([.failure(.untrustedCertificate), .status(200)], 1, .post, 1, "untrustedCertificate"),
            ([.failure(.cancelled), .status(200)], 1, .post, 1, "cancelled"),
            ([.failure(.couldNotConnect), .status(200)], 1, .post, 2, "200"),
            ([.failure(.couldNotResolveHost), .status(200)], 1, .post, 2, "200"),
            ([.failure(.timedOut), .status(200)], 1, .post, 1, "timedOut"),
            ([.failure(.connectionLost), .status(200)], 1, .post, 1, "connectionLost"),
        ]

    private static func end(of transport: RetryingTransport, _ request: HTTPRequest) async -> String {
        do throws(TransportFailure) {
            return String(try await transport.send(request).status)
        } catch {
            return "\(error.kind)"
        }
    }

    @Test("Temporary failures are retried once", arguments: table)
    func attempts(
        answers: [Answer], count: Int, method: HTTPRequest.Method, requests: Int, ends: String
    ) async throws {
        let time = ManualTime()
        let scripted = Self.transport(answers)
        let transport = RetryingTransport(scripted, time: time, policy: .init(count: count, interval: 0.5))
        let request = HTTPRequest(method, try #require(URL(string: "https://a.example/token")), body: [1, 2])
        #expect(await Self.end(of: transport, request) == ends)
        #expect(scripted.requests == Array(repeating: request, count: requests))
        #expect(time.now() == ManualTime.start.addingTimeInterval(0.5 * Double(requests - 1)))
    }

    @Test(
        "A request with a one-time signature is not retried, even one that only reads",
        arguments: [("Authorization", "PoP abc"), ("DPoP", "abc")])
    func bound(field: String, value: String) async throws {
        let scripted = Self.transport([.status(503), .status(200)])
        let transport = RetryingTransport(scripted, time: ManualTime(), policy: .init(count: 1, interval: 0.5))
        let url = try #require(URL(string: "https://a.example/me"))
        #expect(await Self.end(of: transport, HTTPRequest(.get, url, headers: [field: value])) == "503")
        #expect(scripted.requests.count == 1)
    }

    @Test("Cancelling ends the pause") func cancelling() async throws {
        let scripted = Self.transport([.status(503), .status(200)])
        let transport = RetryingTransport(scripted, time: ManualTime(), policy: .init(count: 1, interval: 0.5))
        let url = try #require(URL(string: "https://a.example/token"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await transport.send(HTTPRequest(.get, url))
        }
        await #expect(throws: TransportFailure(.cancelled, reason: "cancelled")) { try await task.value }
        #expect(scripted.requests.count == 1)
    }

    @Test("An application retries once before it gives up") func application() async throws {
        let world = try World()
        let application = try world.application()
        world.transport.trouble(.status(503))
        let parameters = MSALInteractiveTokenParameters(
            scopes: ["User.Read"], webviewParameters: MSALWebviewParameters())
        await #expect(throws: MSALAuthenticationError.self) { try await application.acquireToken(with: parameters) }
        #expect(world.transport.requests.count == 2)
    }
}
