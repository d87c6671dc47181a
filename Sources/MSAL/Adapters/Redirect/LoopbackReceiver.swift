import Foundation
import KeyturnSystem
import LoopbackHTTP
import OAuthCore

/// Receives the authorization response at a loopback address (RFC 8252 §7.3).
struct LoopbackReceiver: RedirectReceiver {
    var listener = MSALLoopbackListener()
    var application: String?
    /// Seconds to let the browser load the last page when closing.
    var pagePatience = 2.0
    /// Many connections, short timeouts: a local program can't block the browser by holding connections open.
    var limits = LoopbackServer.Limits(connections: 128, idleSeconds: 5, requestSeconds: 10)

    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        let address = try LoopbackAddress(redirect.url)
        let desk = LoopbackDesk(application: application, deliver: deliver)
        let ports = listener.ports ?? address.port...address.port
        let server = try start(
            desk, on: listener.address ?? address.ownAddress, ports: ports,
            takenURI: try address.redirectURI(boundTo: address.port == 0 ? ports.lowerBound : address.port))
        guard address.host != "[::1]" || listener.address != nil || server.listensOnIPv6 else {
            server.stop()
            throw RedirectReceiverFailure(
                reason: "The redirect URI's host [::1] needs IPv6, which is off on this computer.",
                remedy: "Use http://127.0.0.1 as the redirect URI (--redirect-uri), and register it.")
        }
        // The browser uses the redirect URI's port, which a container may forward to another one.
        let reached = address.port == 0 ? server.port : address.port
        let bound = try address.redirectURI(boundTo: reached)
        desk.open(redirectURI: bound, port: reached)
        return OpenLoopbackReceiver(
            redirectURI: bound, server: server, desk: desk, pagePatience: pagePatience,
            forwarding: reached == server.port
                ? nil
                : "Listening on port \(server.port), but the browser returns to port \(reached) of the redirect URI. "
                    + "Forward port \(reached) to \(server.port), as in a container.")
    }

    private static let otherMethods =
        "Or sign in without it: with a device code (--method device), or paste the final URL (--method paste)."

    /// Starts on the first free port. If none is free, reports the process at the first one.
    private func start(
        _ desk: LoopbackDesk, on address: String?, ports: ClosedRange<UInt16>, takenURI: URL
    ) throws(RedirectReceiverFailure) -> LoopbackServer {
        var first: (reason: String, sibling: String?)?
        for port in ports {
            do throws(LoopbackServerFailure) {
                return try LoopbackServer.start(
                    port: port, address: address, limits: limits, tlsCame: { desk.note(.secure) }
                ) {
                    desk.respond(to: $0)
                }
            } catch {
                guard case .portTaken(_, let user) = error.kind else {
                    throw RedirectReceiverFailure(
                        reason: error.reason, remedy: error.kind == .libraryMissing ? Self.otherMethods : nil)
                }
                let sibling: String? = if case .sibling(let name) = user { name } else { nil }
                first = first ?? (error.reason, sibling)
            }
        }
        let others = ports.count > 1 ? " So are the ports up to \(ports.upperBound)." : ""
        throw RedirectReceiverFailure(
            reason: (first?.reason ?? "") + others, takenURI: takenURI, sibling: first?.sibling)
    }
}

struct OpenLoopbackReceiver: OpenRedirectReceiver {
    let redirectURI: URL
    let server: LoopbackServer
    let desk: LoopbackDesk
    let pagePatience: Double
    let forwarding: String?

    var visits: AsyncStream<RedirectVisit> { desk.visits }

    func close() async {
        // Unstructured, so that the browser can load the page even when the sign-in is cancelled.
        let closing = Task(executorPreference: ThreadPool.current) {
            await desk.waitForPage(atMost: pagePatience)
            await server.stop(finishingWithin: desk.hasOutcome ? pagePatience : 0)
        }
        await closing.value
    }
}

struct RoutingReceiver: RedirectReceiver {
    let loopback: any RedirectReceiver
    let opened: any RedirectReceiver

    func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        switch redirect.kind {
        case .loopback: try await loopback.open(redirect, deliver: deliver)
        case .customScheme, .httpsLink: try await opened.open(redirect, deliver: deliver)
        }
    }
}
