import CMicroHTTPD
import Foundation
import KeyturnCrypto
import Locks
import OAuthCore

/// An HTTP/1.1 server on 127.0.0.1 and ::1, one port for both; on another address only when that one is named.
///
/// Each connection has a thread of libmicrohttpd's, which waits for the handler; the handler itself runs as a task.
package final class LoopbackServer: Sendable {
    package typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    package struct Limits: Sendable {
        /// Larger request bodies are refused with 413, or cut off when their length was not announced.
        package var bodyBytes: Int
        /// How many connections may be open without a whole request. When there are more, the oldest of them is closed.
        package var connections: UInt32
        /// After so long without a byte a connection is closed.
        package var idleSeconds: UInt32
        /// The head and body of a request have to arrive within so long.
        package var requestSeconds: UInt32

        package init(
            bodyBytes: Int = 64 << 10, connections: UInt32 = 64, idleSeconds: UInt32 = 30, requestSeconds: UInt32 = 30
        ) {
            self.bodyBytes = bodyBytes
            self.connections = connections
            self.idleSeconds = idleSeconds
            self.requestSeconds = requestSeconds
        }
    }

    /// The port that was bound.
    package let port: UInt16
    /// `false` on a host that has no IPv6 loopback address.
    package let listensOnIPv6: Bool
    private let exchanges: Exchanges
    private let server: Locked<OpaquePointer?>
    private let identity: TLSText?

    /// - Parameters:
    ///   - port: 0 takes any free one.
    ///   - identity: makes it speak TLS.
    ///   - address: the one numeric address to listen on in place of both loopback ones, because somebody said so.
    package static func start(
        port: UInt16 = 0, address: String? = nil, identity: ServerIdentity? = nil, limits: Limits = Limits(),
        handler: @escaping Handler
    ) throws(LoopbackServerFailure) -> LoopbackServer {
        if let problem = keyturn_http_library_problem() {
            throw LoopbackServerFailure(
                .libraryMissing,
                reason: "The web server library is missing (\(String(cString: problem))). Install libmicrohttpd12.")
        }
        let listeners =
            if let address {
                try LoopbackListeners.open(address: address, port: port)
            } else {
                try LoopbackListeners.open(port: port)
            }
        let exchanges = Exchanges(
            port: listeners.port, scheme: identity == nil ? "http" : "https", handler: handler)
        let text = identity.map(TLSText.init)
        let server = keyturn_http_start(
            listeners.ipv4, listeners.ipv6 ?? -1,
            keyturn_http_limits(
                body_bytes: limits.bodyBytes, connections: limits.connections, idle_seconds: limits.idleSeconds,
                request_seconds: limits.requestSeconds),
            text?.pointer,
            { context, exchange in
                guard let context, let exchange else { return }
                Unmanaged<Exchanges>.fromOpaque(context).takeUnretainedValue().answer(exchange)
            },
            // Not retained: the server stops, and with it every call, before it lets go of the exchanges.
            Unmanaged.passUnretained(exchanges).toOpaque())
        guard let server else {
            throw LoopbackServerFailure(.io, reason: "The web server did not start on port \(listeners.port).")
        }
        return LoopbackServer(listeners, exchanges, server, text)
    }

    private init(
        _ listeners: LoopbackListeners, _ exchanges: Exchanges, _ server: sending OpaquePointer, _ identity: TLSText?
    ) {
        self.identity = identity
        port = listeners.port
        listensOnIPv6 = listeners.ipv6 != nil
        self.exchanges = exchanges
        self.server = Locked(server)
    }

    deinit { stop() }

    /// Closes the sockets at once. Handlers that still run are cancelled, and their answers dropped.
    package func stop() {
        exchanges.abandon()
        let server = server.withLock { held in
            defer { held = nil }
            return held.map(UInt.init(bitPattern:))
        }
        if let server = server.flatMap(OpaquePointer.init(bitPattern:)) { keyturn_http_stop(server) }
    }

    /// Lets requests that are being answered finish for at most `seconds`, then stops.
    package func stop(finishingWithin seconds: Double) async {
        await withCheckedContinuation { continuation in
            // It blocks, so it must not hold one of the few threads that tasks run on.
            Thread.detachNewThread {
                self.server.withLock { server in
                    if let server { _ = keyturn_http_wait_idle(server, UInt32(min(max(0, seconds), 3600) * 1000)) }
                }
                self.stop()
                continuation.resume()
            }
        }
    }
}
