import Foundation
import KeyturnCrypto
import LoopbackHTTP
import OAuthCore
import Tasks

/// The authority on loopback: the adapter that gives it sockets, the clock, randomness and keys of its own.
package final class DemoAuthorityServer: Sendable {
    /// Where it listens; without a slash at the end.
    package let origin: URL
    package let directory: Directory
    /// The certificate it shows, in PEM; nil when it speaks plain HTTP.
    package let certificate: String?
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
    ///   - address: the one numeric address to listen on in place of loopback: everybody who reaches it can sign in.
    ///   - usesTLS: with a certificate that is made for this run.
    ///   - keys: made anew when not given. That takes a moment, for which only the first request waits.
    package static func start(
        port: UInt16 = 0, address: String? = nil, usesTLS: Bool = false, keys: DemoKeys? = nil,
        directory: Directory = .standard,
        settings: AuthoritySettings = AuthoritySettings()
    ) async throws -> DemoAuthorityServer {
        let state = State()
        let identity = usesTLS ? try identity(for: address) : nil
        let limits = LoopbackServer.Limits(bodyBytes: DemoAuthority.maximumBodyLength)
        let server = try LoopbackServer.start(port: port, address: address, identity: identity, limits: limits) {
            request in
            let response = await state.respond(to: request)
            // The client has disconnected: send nothing.
            if settings.delay > 0, response.isForPrograms { try? await sleep(for: .seconds(settings.delay)) }
            return response
        }
        // Not `localhost`: cookies do not know ports, and a client that listens on localhost has no business with ours.
        let host = address.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "127.0.0.1"
        guard let origin = URL(string: "\(usesTLS ? "https" : "http")://\(host):\(server.port)") else {
            throw URLError(.badURL)
        }
        await state.begin {
            DemoAuthority(
                origin: origin, keys: try keys ?? DemoKeys.generate(), directory: directory, settings: settings,
                randomBytes: systemRandomBytes)
        }
        return DemoAuthorityServer(origin, directory, server, state, identity?.certificate)
    }

    /// Good for a month, at every name of this computer that loopback has, or at the one address.
    private static func identity(for address: String?) throws -> ServerIdentity {
        // A clock that is a little behind takes it too.
        let start = Int64(Date().timeIntervalSince1970) - 3600
        let serial = systemRandomBytes(16)
        // A bundle can hold certificates of two runs: a unique name tells them apart.
        let run = serial.prefix(4).hexadecimal
        return try ServerIdentity.make(
            commonName: "Keyturn authority \(run)", addresses: address.map { [$0] } ?? ["127.0.0.1", "::1"],
            names: address == nil ? ["localhost"] : [], notBefore: start, days: 30, serial: serial)
    }

    private init(
        _ origin: URL, _ directory: Directory, _ server: LoopbackServer, _ state: State, _ certificate: String?
    ) {
        self.certificate = certificate
        self.origin = origin
        self.directory = directory
        self.server = server
        self.state = state
    }

    package func stop() { server.stop() }

    /// What ADAL's cache would hold of this person (``DemoAuthority/adalCache(of:scopes:at:)``).
    package func adalCache(of username: String, scopes: [String]) async throws -> [UInt8] {
        try await state.adalCache(of: username, scopes: scopes)
    }

    /// The kernel's random bytes, by way of the standard library.
    @Sendable private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// One authority for all connections. It comes to be only when the port is known, which is after the first request
    /// could have come; and its keys take longer to make than a program should take to show itself.
    private actor State {
        private var making: Task<DemoAuthority, any Error>?
        private var authority: DemoAuthority?

        func begin(_ make: @escaping @Sendable () throws -> DemoAuthority) {
            making = Task(executorPreference: ThreadPool.current) { try make() }
        }

        func adalCache(of username: String, scopes: [String]) async throws -> [UInt8] {
            guard let made = try await making?.value else { return [] }
            var current = authority ?? made
            let cache = try current.adalCache(of: username, scopes: scopes, at: Date())
            authority = current
            return cache
        }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            guard let made = try? await making?.value else { return HTTPResponse(status: 503) }
            // Another request may have been first while this one waited: its changes count.
            var current = authority ?? made
            let response = current.respond(to: request, at: Date())
            authority = current
            return response
        }
    }
}
