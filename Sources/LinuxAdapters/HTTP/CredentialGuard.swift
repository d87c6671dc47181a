import CCurl
import Glibc
import POSIX

/// Plain http to this computer has no certificate: the process that holds the port gets what is sent. So the user of the
/// socket that listens there has to be this one or root.
enum CredentialGuard {
    /// Whether a credential may go to the process at the other end. `false` when that cannot be found out.
    static let mayAnswer: keyturn_curl_guard = { address, port, ownPort in
        guard let address, let port = UInt16(exactly: port), let ownPort = UInt16(exactly: ownPort) else { return 0 }
        let users = LocalSockets.firstFound { sockets in
            let users = sockets.users(of: String(cString: address), port: port, connectedFrom: ownPort)
            return users.isEmpty ? nil : users
        }
        return users?.isSubset(of: [geteuid(), 0]) == true ? 1 : 0
    }
}
