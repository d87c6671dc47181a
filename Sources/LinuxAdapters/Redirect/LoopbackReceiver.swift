import AuthEngine
import Foundation
import LoopbackHTTP
import OAuthCore
import Tasks

/// Receives the authority's answer on this machine's loopback addresses (RFC 8252 §7.3).
package struct LoopbackReceiver: RedirectReceiver {
    private let listener: MSALLoopbackListener
    private let application: String?
    private let pagePatience: Double
    private let limits: LoopbackServer.Limits

    /// Many connections and little patience: a program that holds connections open to keep the browser out holds them for
    /// a moment only.
    static let limits = LoopbackServer.Limits(connections: 128, idleSeconds: 5, requestSeconds: 10)

    /// - Parameters:
    ///   - listener: where to listen; `nil` as the redirect URI says.
    ///   - application: what the pages call the program that waits.
    ///   - pagePatience: seconds that closing gives the browser to fetch the last page.
    package init(listener: MSALLoopbackListener? = nil, application: String? = nil, pagePatience: Double = 2) {
        self.init(
            listener: listener ?? MSALLoopbackListener(), application: application, pagePatience: pagePatience,
            limits: Self.limits)
    }

    init(
        listener: MSALLoopbackListener, application: String? = nil, pagePatience: Double,
        limits: LoopbackServer.Limits
    ) {
        self.listener = listener
        self.application = application
        self.pagePatience = pagePatience
        self.limits = limits
    }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        let address = try LoopbackAddress(redirect.url)
        let desk = LoopbackDesk(application: application, deliver: deliver)
        let server = try start(
            desk, on: listener.address ?? address.ownAddress, ports: listener.ports ?? address.port...address.port)
        // A redirect URI with a port of its own is what the browser uses: outside of a container that can be another port.
        let reached = address.port == 0 ? server.port : address.port
        let bound = try address.redirectURI(boundTo: reached)
        desk.open(redirectURI: bound, port: reached)
        return OpenLoopbackReceiver(
            redirectURI: bound, server: server, desk: desk, pagePatience: pagePatience,
            forwarding: reached == server.port
                ? nil
                : "Listening on port \(server.port), but the browser comes back to port \(reached) of the redirect URI. "
                    + "This works only where port \(reached) is forwarded to \(server.port), as for a container.")
    }

    /// On the first port that is free. When none is, says who has the first.
    private func start(
        _ desk: LoopbackDesk, on address: String?, ports: ClosedRange<UInt16>
    ) throws(RedirectReceiverFailure) -> LoopbackServer {
        var firstReason: String?
        for port in ports {
            do throws(LoopbackServerFailure) {
                return try LoopbackServer.start(port: port, address: address, limits: limits) {
                    desk.respond(to: $0)
                }
            } catch {
                guard case .portTaken = error.kind else { throw RedirectReceiverFailure(reason: error.reason) }
                firstReason = firstReason ?? error.reason
            }
        }
        let others = ports.count > 1 ? " So are all up to \(ports.upperBound)." : ""
        throw RedirectReceiverFailure(reason: (firstReason ?? "") + others)
    }
}

/// A receiver that listens, until it is closed or let go.
struct OpenLoopbackReceiver: OpenRedirectReceiver {
    let redirectURI: URL
    let server: LoopbackServer
    let desk: LoopbackDesk
    let pagePatience: Double
    let forwarding: String?

    func close() async {
        // In a task of its own: a sign-in that ends with an error cancels what it still waits for, and the browser is to
        // show its page then too.
        let closing = Task(executorPreference: ThreadPool.current) {
            await desk.waitForPage(atMost: pagePatience)
            await server.stop(finishingWithin: desk.isAnswered ? pagePatience : 0)
        }
        await closing.value
    }
}
