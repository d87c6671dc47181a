import CCurl
import Foundation
import Glibc
import KeyturnSystem
import OAuthCore

/// Guards plain http on this computer, which has no certificates: only a process of this user or root may receive
/// requests (metadata, too, decides where credentials go), or serve a page where the user types a password.
enum CredentialGuard {
    /// Whether the process at the other end of a connection may receive a request. `false` when its user is unknown.
    static let mayReceive: keyturn_curl_guard = { address, port, ownPort in
        guard let address, let port = UInt16(exactly: port), let ownPort = UInt16(exactly: ownPort) else { return 0 }
        let name = String(cString: address)
        let users = LocalSockets.firstFound(port: port, reading: { LocalSockets.current(port: $0, at: name) }) {
            $0.users(of: name, port: port, connectedFrom: ownPort).nonEmpty
        }
        return isTrusted(users) ? 1 : 0
    }

    /// Throws if another user's process can serve the page. The browser resolves the host: each listener counts.
    static func check(_ page: URL) throws(TransportFailure) {
        guard page.lowercasedScheme == "http", page.isLoopback else { return }
        let users = UInt16(exactly: page.port ?? 80).flatMap { port in
            LocalSockets.firstFound(port: port) { Set($0.listening(on: port).map(\.user)).nonEmpty }
        }
        if users == nil, let port = page.port, UInt16(exactly: port).flatMap({ LocalSockets.current(port: $0) }) != nil
        {
            throw TransportFailure(.couldNotConnect, reason: "no program listens on port \(port) of this computer.")
        }
        guard !isTrusted(users) else { return }
        // Without a descriptor, the user of a port can't be read.
        if users == nil, let limit = SystemLimit.nearlyMet {
            throw TransportFailure(.systemLimit, reason: "No page was opened: \(limit.reason).")
        }
        throw failure(page, "No page was opened.")
    }

    static func failure(_ url: URL, _ consequence: String) -> TransportFailure {
        TransportFailure(
            .foreignPort,
            reason: "port \(url.port ?? 80) of this computer belongs to another user's process or an unknown one. "
                + consequence)
    }

    private static func isTrusted(_ users: Set<UInt32>?) -> Bool { users?.isSubset(of: [geteuid(), 0]) == true }
}

extension Set {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
