import Foundation
import LoopbackHTTP
import OAuthCore
import Synchronization

/// The authority on loopback: the adapter that gives it sockets, the clock, randomness and keys of its own.
package final class DemoAuthorityServer: Sendable {
    /// Where it listens; without a slash at the end.
    package let origin: URL
    package let directory: Directory
    private let server: LoopbackServer
    private let state: State

    package static let clientID = Directory.demoClientID
    package var clientID: String { Self.clientID }

    /// The issuer for a client that knows nothing of Entra: the directory's first tenant.
    package var openIDIssuer: URL {
        origin.appending(path: "\(directory.tenants.first?.id ?? "common")/v2.0")
    }

    /// The authority for a client that speaks Entra's dialect: `<origin>/<segment>`.
    package func authorityURL(_ segment: String = "common") -> URL { origin.appending(path: segment) }

    /// - Parameters:
    ///   - port: 0 takes any free one.
    ///   - keys: made anew when not given; that takes a moment.
    package static func start(
        port: UInt16 = 0, keys: DemoKeys? = nil, directory: Directory = .standard, lifetimes: Lifetimes = Lifetimes()
    ) async throws -> DemoAuthorityServer {
        let keys = try keys ?? DemoKeys.generate()
        let state = State()
        let limits = LoopbackServer.Limits(bodyBytes: DemoAuthority.maximumBodyLength)
        let server = try LoopbackServer.start(port: port, limits: limits) { state.respond(to: $0, at: Date()) }
        // Not `localhost`: cookies do not know ports, and a client that listens on localhost has no business with ours.
        guard let origin = URL(string: "http://127.0.0.1:\(server.port)") else { throw URLError(.badURL) }
        state.begin(
            DemoAuthority(
                origin: origin, keys: keys, directory: directory, lifetimes: lifetimes, randomBytes: systemRandomBytes))
        return DemoAuthorityServer(origin, directory, server, state)
    }

    private init(_ origin: URL, _ directory: Directory, _ server: LoopbackServer, _ state: State) {
        self.origin = origin
        self.directory = directory
        self.server = server
        self.state = state
    }

    package func stop() { server.stop() }

    /// The kernel's random bytes, by way of the standard library.
    @Sendable private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// One authority for all connections. It comes to be only when the port is known, which is after the first request
    /// could have come.
    private final class State: Sendable {
        private let authority = Mutex<DemoAuthority?>(nil)

        func begin(_ value: DemoAuthority) { authority.withLock { $0 = value } }

        func respond(to request: HTTPRequest, at now: Date) -> HTTPResponse {
            authority.withLock { $0?.respond(to: request, at: now) ?? HTTPResponse(status: 503) }
        }
    }
}
