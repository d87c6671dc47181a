import CCurl
import Glibc
import Locks
import POSIX

/// Lets another thread cancel an exchange while it is running.
final class CurlTransfer: Sendable {
    private struct State {
        var isCancelled = false
        var curl: UInt?
    }

    private let state = Locked(State())

    /// Registers the handle. Returns `false` when the exchange was already cancelled.
    func begin(_ curl: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: curl)
        return state.withLock { state in
            guard !state.isCancelled else { return false }
            state.curl = address
            return true
        }
    }

    /// Unregisters the handle. Returns `false` when the exchange was cancelled; the handle can't be reused then.
    func end() -> Bool {
        state.withLock { state in
            state.curl = nil
            return !state.isCancelled
        }
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let curl = state.curl.flatMap(OpaquePointer.init(bitPattern:)) { keyturn_curl_cancel(curl) }
        }
    }
}

/// Guards plain http on this computer, which has no certificates: only a process of this user or root may receive
/// credentials.
enum CredentialGuard {
    /// Whether a credential may be sent to the process at the other end. `false` when its user is unknown.
    static let mayAnswer: keyturn_curl_guard = { address, port, ownPort in
        guard let address, let port = UInt16(exactly: port), let ownPort = UInt16(exactly: ownPort) else { return 0 }
        let users = LocalSockets.firstFound(port: port) { sockets in
            let users = sockets.users(of: String(cString: address), port: port, connectedFrom: ownPort)
            return users.isEmpty ? nil : users
        }
        return users?.isSubset(of: [geteuid(), 0]) == true ? 1 : 0
    }
}
