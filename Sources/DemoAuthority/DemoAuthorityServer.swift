import Foundation
import KeyturnCrypto
import KeyturnSystem
import LoopbackHTTP
import OAuthCore

/// The authority as an HTTP server, with sockets, clock, randomness and keys.
package final class DemoAuthorityServer: Sendable {
    package let origin: URL
    package let directory: Directory
    /// The server certificate in PEM; nil for plain HTTP.
    package let certificate: String?
    private let server: LoopbackServer
    private let state: State

    package static let clientID = Directory.demoClientID
    package var clientID: String { Self.clientID }

    /// The issuer for plain OpenID clients: the directory's first tenant.
    package var openIDIssuer: URL { origin.appending(path: "\(directory.tenants.first?.id ?? "common")/v2.0") }

    package func authorityURL(_ segment: String = "common") -> URL { origin.appending(path: segment) }

    /// - Parameters:
    ///   - port: the port; 0 for any free one.
    ///   - address: the numeric address to listen on (default: loopback). Anyone who can reach it can sign in.
    ///   - keys: the signing keys (default: new ones, for which only the first request waits).
    ///   - isDeferred: whether the web server starts in the background. Requests wait for it, and ``ready()`` throws if it
    ///     failed.
    package static func start(
        port: UInt16 = 0, address: String? = nil, usesTLS: Bool = false, keys: DemoKeys? = nil,
        directory: Directory = .standard, settings: AuthoritySettings = AuthoritySettings(), isDeferred: Bool = false
    ) async throws -> DemoAuthorityServer {
        let state = State()
        let identity = usesTLS ? try identity(for: address) : nil
        let limits = LoopbackServer.Limits(bodyBytes: DemoAuthority.maximumBodyLength)
        let server = try LoopbackServer(port: port, address: address, identity: identity, limits: limits) { request in
            let response = await state.respond(to: request)
            // The client has disconnected: send nothing.
            if settings.delay > 0, response.isForPrograms { try? await sleep(for: .seconds(settings.delay)) }
            return response
        }
        if !isDeferred { try server.serve() }
        // Not `localhost`: cookies ignore ports, so a client that listens on localhost would get this server's cookies.
        let host = address.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "127.0.0.1"
        guard let origin = URL(string: "\(usesTLS ? "https" : "http")://\(host):\(server.port)") else {
            throw URLError(.badURL)
        }
        await state.begin(serving: { try server.serve() }) {
            DemoAuthority(
                origin: origin, keys: try keys ?? DemoKeys.generate(), directory: directory, settings: settings,
                randomBytes: systemRandomBytes)
        }
        return DemoAuthorityServer(origin, directory, server, state, identity?.certificate)
    }

    /// A certificate for a month, for all loopback names or for the one address.
    private static func identity(for address: String?) throws -> ServerIdentity {
        // For clients whose clock is slightly behind.
        let start = Int64(Date().timeIntervalSince1970) - 3600
        let serial = systemRandomBytes(16)
        // A unique name, because a bundle can contain certificates of several runs.
        let run = serial.prefix(4).hexadecimal
        return try ServerIdentity.make(
            commonName: "Keyturn authority \(run)", addresses: address.map { [$0] } ?? ["127.0.0.1", "::1"],
            names: address == nil ? ["localhost"] : [], notBefore: start, days: 30, serial: serial)
    }

    private init(
        _ origin: URL, _ directory: Directory, _ server: LoopbackServer, _ state: State, _ certificate: String?
    ) {
        (self.origin, self.directory, self.server, self.state) = (origin, directory, server, state)
        self.certificate = certificate
    }

    package var port: UInt16 { server.port }

    package func stop() { server.stop() }

    package func ready() async throws { try await state.ready() }

    package func adalCache(of username: String, scopes: [String]) async throws -> [UInt8] {
        try await state.adalCache(of: username, scopes: scopes)
    }

    @Sendable private static func systemRandomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Created lazily, because it needs the port, and because creating its keys would delay the program's start.
    private actor State {
        private var serving: Task<Void, any Error>?
        private var making: Task<DemoAuthority, any Error>?
        private var authority: DemoAuthority?

        func begin(
            serving serve: @escaping @Sendable () throws -> Void, _ make: @escaping @Sendable () throws -> DemoAuthority
        ) {
            let serving = Task(executorPreference: ThreadPool.current) { try serve() }
            self.serving = serving
            making = Task(executorPreference: ThreadPool.current) {
                try await serving.value
                return try make()
            }
        }

        func ready() async throws { try await serving?.value }

        func adalCache(of username: String, scopes: [String]) async throws -> [UInt8] {
            try await use { try $0.adalCache(of: username, scopes: scopes, at: Date()) } ?? []
        }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            (try? await use { $0.respond(to: request, at: Date()) }) ?? HTTPResponse(status: 503)
        }

        private func use<Value>(_ work: (inout DemoAuthority) throws -> Value) async throws -> Value? {
            guard let made = try await making?.value else { return nil }
            // Another request may have changed the authority while this one waited.
            var current = authority ?? made
            let value = try work(&current)
            authority = current
            return value
        }
    }
}
