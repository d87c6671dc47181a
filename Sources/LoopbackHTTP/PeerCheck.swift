import Glibc
import KeyturnSystem
import OAuthCore

/// The checks of a server for other programs, which no web page and no other user may use.
enum PeerCheck {
    /// Whether both sides see the same body in a request: one length, or chunks and no length (RFC 9112 §6.3).
    static func isFramed(_ request: HTTPRequest) -> Bool {
        let lengths = request.headers.all("Content-Length")
        let codings = request.headers.all("Transfer-Encoding").map { $0.lowercased() }
        guard codings.isEmpty else { return codings == ["chunked"] && lengths.isEmpty }
        return lengths.count <= 1 && lengths.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(\.isDigit) }
    }

    /// Whether a client of a loopback port is a process of this user or root.
    static func isOwn(_ address: String, _ port: UInt16, of serverPort: UInt16) -> Bool {
        let user = LocalSockets.firstFound(port: port) { $0.user(at: address, port: port, connectedTo: serverPort) }
        return user == geteuid() || user == 0
    }

    /// Why a request isn't one of a program that knows the server; `nil` if it may be.
    ///
    /// A browser sends `Origin` or `Sec-Fetch-Site`. A page that has bound its name to this computer (DNS rebinding) sends its own
    /// `Host`.
    ///
    /// - Parameter port: 0 for a Unix socket, which no browser opens.
    static func rejection(of request: HTTPRequest, port: UInt16) -> RejectedRequest? {
        guard isFramed(request) else { return RejectedRequest(status: 400, "The length of the body is ambiguous.") }
        let hosts = Loopback.usualHosts.map { "\($0):\(port)" }
        guard port == 0 || hosts.contains(request.headers["Host"]?.lowercased() ?? "") else {
            return RejectedRequest(status: 421, "The Host field isn't the address of this server.")
        }
        let isOfBrowser = ["Origin", "Sec-Fetch-Site", "X-Forwarded-For"].contains { request.headers[$0] != nil }
        return isOfBrowser ? RejectedRequest(status: 403, "Web pages and proxies can't use this server.") : nil
    }
}
