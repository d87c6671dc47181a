import CMicroHTTPD
import Glibc
import KeyturnCrypto
import KeyturnSystem
import OAuthCore

/// An HTTP/1.1 server on one port of 127.0.0.1 and ::1, or on another address or a Unix socket if it is named.
///
/// Each connection has a thread of libmicrohttpd, which waits for the handler's task.
package final class LoopbackServer: Sendable {
    package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    package struct Limits: Sendable {
        /// Larger bodies are rejected with 413, or truncated if their length wasn't announced.
        package var bodyBytes: Int
        /// Without a complete request. Beyond that number, the oldest is closed.
        package var connections: UInt32
        /// Without data.
        package var idleSeconds: UInt32
        /// For a complete request; with a stream, for its header.
        package var requestSeconds: UInt32
        /// Of a connection, which limits the header of a request; `nil` for as much as a browser's cookies need.
        package var memoryBytes: Int?

        package init(
            bodyBytes: Int = 64 << 10, connections: UInt32 = 64, idleSeconds: UInt32 = 30, requestSeconds: UInt32 = 30,
            memoryBytes: Int? = nil
        ) {
            (self.bodyBytes, self.connections, self.memoryBytes) = (bodyBytes, connections, memoryBytes)
            (self.idleSeconds, self.requestSeconds) = (idleSeconds, requestSeconds)
        }
    }

    package let port: UInt16
    /// Whether it listens on ::1, which a host without IPv6 lacks.
    package let listensOnIPv6: Bool
    private let exchanges: Exchanges
    /// The file of a Unix socket that this server has created, which another one may have replaced since.
    private let socket: (path: String, file: FileIdentity)?
    private let limits: Limits
    private let state: Locked<State>
    private let identity: TLSText?

    private enum State {
        case open(LoopbackListeners)
        case serving(OpaquePointer)
        case stopped
    }

    /// - Parameters:
    ///   - port: 0 selects a free one.
    ///   - address: a numeric address to listen on instead of both loopback ones.
    ///   - tlsCame: called when a client begins a TLS handshake, but there is no identity.
    package static func start(
        port: UInt16 = 0, address: String? = nil, identity: ServerIdentity? = nil, limits: Limits = Limits(),
        tlsCame: @escaping @Sendable () -> Void = {}, handler: @escaping Handler
    ) throws(LoopbackServerFailure) -> LoopbackServer {
        let server = try LoopbackServer(
            port: port, address: address, identity: identity, limits: limits, tlsCame: tlsCame, handler: handler)
        try server.serve()
        return server
    }

    /// Opens the sockets. Connections wait until ``serve()``.
    package convenience init(
        port: UInt16 = 0, address: String? = nil, identity: ServerIdentity? = nil, limits: Limits = Limits(),
        tlsCame: @escaping @Sendable () -> Void = {}, handler: @escaping Handler
    ) throws(LoopbackServerFailure) {
        self.init(
            try LoopbackListeners.open(address: address, port: port), WholeHandler(handler: handler), identity, limits,
            seconds: WholeHandler.seconds, tlsCame: tlsCame)
    }

    /// Opens the sockets of a server that streams, on loopback or a Unix socket, for processes of this user and root.
    package convenience init(
        port: UInt16, socket: String?, limits: Limits, stream handler: any StreamHandler
    ) throws(LoopbackServerFailure) {
        let listeners =
            if let socket {
                try LoopbackListeners.open(socket: socket)
            } else {
                try LoopbackListeners.open(address: nil, port: port)
            }
        self.init(listeners, handler, nil, limits, socket: socket.map { ($0, FileVersion(at: $0).identity) })
    }

    private init(
        _ listeners: LoopbackListeners, _ handler: any StreamHandler, _ identity: ServerIdentity?, _ limits: Limits,
        socket: (path: String, file: FileIdentity)? = nil, seconds: Int? = nil,
        tlsCame: @escaping @Sendable () -> Void = {}
    ) {
        exchanges = Exchanges(
            port: listeners.port, scheme: identity == nil ? "http" : "https", handler, seconds: seconds,
            tlsCame: tlsCame)
        (self.socket, self.limits, self.identity) = (socket, limits, identity.map(TLSText.init))
        (port, listensOnIPv6) = (listeners.port, listeners.ipv6 != nil)
        state = Locked(.open(listeners))
    }

    /// Answers the connections. Loads the web server library, which takes milliseconds. Does nothing after ``stop()``.
    package func serve() throws(LoopbackServerFailure) {
        let failure: Int32? = state.withLock { state in
            guard case .open(let listeners) = state else { return nil }
            // Closes the sockets if it fails.
            let server = keyturn_http_start(
                listeners.ipv4, listeners.ipv6 ?? -1,
                keyturn_http_limits(
                    body_bytes: limits.bodyBytes, connections: limits.connections, idle_seconds: limits.idleSeconds,
                    request_seconds: limits.requestSeconds, memory_bytes: limits.memoryBytes ?? 0),
                identity?.pointer, exchanges.handlers)
            let code = errno
            state = server.map(State.serving) ?? .stopped
            return server == nil ? code : nil
        }
        guard let failure else { return }
        throw Self.failure(keyturn_http_library_problem().map { String(cString: $0) }, code: failure, port: port)
    }

    /// - Parameter problem: why the library isn't loaded; `nil` if it didn't start the server, with its `errno` or 0.
    static func failure(_ problem: String?, code: Int32, port: UInt16) -> LoopbackServerFailure {
        if let problem {
            if let limit = SystemLimit(loaderMessage: problem) {
                return LoopbackServerFailure(.io, reason: "The web server library can't be loaded: \(limit.reason).")
            }
            let package = UnusableLibrary(loaderMessage: problem)?.package ?? "libmicrohttpd12"
            return LoopbackServerFailure(
                .libraryMissing, reason: "The web server library can't be used: \(problem). Install \(package).")
        }
        let isOfThread = code == EAGAIN || code == EPERM
        let why = isOfThread ? SystemLimit(creating: code, otherwise: .threads).reason : systemReason(code)
        return LoopbackServerFailure(
            .io, reason: "The web server failed to start on port \(port)\(code == 0 ? "" : ": \(why)").")
    }

    deinit { stop() }

    /// Closes the sockets at once. Cancels running handlers and drops their responses.
    package func stop() {
        exchanges.abandon()
        let server = state.withLock { state -> UInt? in
            if case .stopped = state { return nil }
            if let socket, FileVersion(at: socket.path).identity == socket.file { unlink(socket.path) }
            defer { state = .stopped }
            switch state {
            case .open(let listeners): listeners.close()
            case .serving(let server): return UInt(bitPattern: server)
            case .stopped: break
            }
            return nil
        }
        if let server = server.flatMap(OpaquePointer.init(bitPattern:)) { keyturn_http_stop(server) }
    }

    package func stop(finishingWithin seconds: Double) async {
        await withCheckedContinuation { continuation in
            // On its own thread, because it blocks.
            SystemThread.startOrRun {
                self.state.withLock { state in
                    if case .serving(let server) = state {
                        _ = keyturn_http_wait_idle(server, UInt32(min(max(0, seconds), 3600) * 1000))
                    }
                }
                self.stop()
                continuation.resume()
            }
        }
    }
}

package typealias LoopbackServerFailure = ReasonedFailure<LoopbackServerFailureKind>

package enum PortUser: Sendable, Equatable {
    /// Another process of this program and user, such as "keyturn (process 123)".
    case sibling(String)
    case other
    /// None, because it has just ended, or none that this user can see.
    case unknown
}

package enum LoopbackServerFailureKind: Sendable, Equatable {
    case portTaken(UInt16, by: PortUser)
    /// libmicrohttpd, or a library that it needs, isn't installed.
    case libraryMissing
    case io
}

/// A server's certificate and key as C strings, which must exist as long as the server.
final class TLSText: Sendable {
    private let address: UInt

    init(_ identity: ServerIdentity) {
        let text = UnsafeMutablePointer<keyturn_http_identity>.allocate(capacity: 1)
        text.initialize(
            to: keyturn_http_identity(certificate: strdup(identity.certificate), key: strdup(identity.privateKey.pem)))
        address = UInt(bitPattern: text)
    }

    var pointer: UnsafePointer<keyturn_http_identity>? { UnsafePointer(bitPattern: address) }

    deinit {
        guard let text = UnsafeMutablePointer<keyturn_http_identity>(bitPattern: address) else { return }
        if let key = UnsafeMutablePointer(mutating: text.pointee.key) {
            // Erase the key before the memory is reused.
            explicit_bzero(key, strlen(key))
            free(key)
        }
        free(UnsafeMutablePointer(mutating: text.pointee.certificate))
        text.deallocate()
    }
}
