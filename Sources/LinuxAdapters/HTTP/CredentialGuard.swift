import CCurl
import Glibc
import POSIX

/// Guards plain http on this computer, which has no certificates: only a process of this user or root may receive
/// credentials.
enum CredentialGuard {
    /// Whether a credential may be sent to the process at the other end. `false` when its user is unknown.
    static let mayAnswer: keyturn_curl_guard = { address, port, ownPort in
        guard let address, let port = UInt16(exactly: port), let ownPort = UInt16(exactly: ownPort) else { return 0 }
        let users = LocalSockets.firstFound { sockets in
            let users = sockets.users(of: String(cString: address), port: port, connectedFrom: ownPort)
            return users.isEmpty ? nil : users
        }
        return users?.isSubset(of: [geteuid(), 0]) == true ? 1 : 0
    }
}
