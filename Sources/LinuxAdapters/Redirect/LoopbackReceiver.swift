import AuthEngine
import Foundation
import LoopbackHTTP
import OAuthCore
import Synchronization

/// Receives the authority's answer on this machine's loopback addresses (RFC 8252 §7.3).
package struct LoopbackReceiver: RedirectReceiver {
    private let pagePatience: Double

    /// - Parameter pagePatience: seconds that closing gives the browser to fetch the last page.
    package init(pagePatience: Double = 2) {
        self.pagePatience = pagePatience
    }

    package func open(
        _ redirect: RedirectURI, deliver: @escaping @Sendable (URL) -> Bool
    ) async throws(RedirectReceiverFailure) -> any OpenRedirectReceiver {
        let address = try LoopbackAddress(redirect.url)
        let desk = LoopbackDesk(deliver: deliver)
        let server: LoopbackServer
        do throws(LoopbackServerFailure) {
            server = try LoopbackServer.start(port: address.port) { desk.respond(to: $0) }
        } catch {
            throw RedirectReceiverFailure(reason: error.reason)
        }
        let bound = try address.redirectURI(boundTo: server.port)
        desk.open(redirectURI: bound, port: server.port)
        return OpenLoopbackReceiver(redirectURI: bound, server: server, desk: desk, pagePatience: pagePatience)
    }
}

/// A receiver that listens, until it is closed or let go.
struct OpenLoopbackReceiver: OpenRedirectReceiver {
    let redirectURI: URL
    let server: LoopbackServer
    let desk: LoopbackDesk
    let pagePatience: Double

    func close() async {
        await desk.waitForPage(atMost: pagePatience)
        await server.stop(finishingWithin: desk.isAnswered ? pagePatience : 0)
    }
}
