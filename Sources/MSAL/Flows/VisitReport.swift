import KeyturnSystem
import OAuthCore

/// What the receiver knows of the wait: who came, and what to do about a visit that brought no response.
final class VisitReport: Sendable {
    let visits: AsyncStream<RedirectVisit>
    /// The address that the browser has to reach; `nil` without a listener.
    private let address: String?
    private let came = Locked(false)

    /// - Parameter receiver: `nil` if the user pastes the response.
    init(receiver: (any OpenRedirectReceiver)?) {
        visits = receiver?.visits ?? AsyncStream { $0.finish() }
        address = receiver.flatMap { $0.redirectURI.isLoopback ? $0.redirectURI.hostAndPort : nil }
    }

    /// Whether anyone came. Then the authority accepts the redirect URI.
    var hasVisitor: Bool { came.withLock { $0 } }

    /// Notes a visit. Returns what to tell of it.
    func text(on visit: RedirectVisit) -> String? {
        if visit != .elsewhere { came.withLock { $0 = true } }
        let host = address ?? "the redirect URI"
        return switch visit {
        case .secure:
            "A browser insists on https at \(host), which speaks http. In its address bar, change https:// to http://, "
                + "or use a browser without HTTPS-only mode."
        case .oversized:
            "The browser sends more than \(RedirectVisit.mostHeaderBytes >> 10) KiB of cookies to \(host). "
                + "Delete its cookies for that host, or open the URL in a private window."
        case .elsewhere:
            "Ignored a response to another path of \(host) than the redirect URI's. The authority uses another redirect URI "
                + "than this one, or the response is another program's. Still waiting."
        case .request: nil
        }
    }

    /// Why the wait goes on.
    var silence: String {
        guard let address else { return "No response yet." }
        return hasVisitor
            ? "No response yet, although a browser came to \(address)."
            : "No response yet: no browser has come to \(address)."
    }
}
