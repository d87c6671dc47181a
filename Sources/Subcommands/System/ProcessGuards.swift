import CSystem
import Glibc
import KeyturnSystem

package enum ProcessGuards {
    package static func set() {
        // A closed pipe is an error of the write, not the end of the process.
        keyturn_process_ignore(SIGPIPE)
        // So is a limit on the size of files.
        keyturn_process_ignore(SIGXFSZ)
        keyturn_process_occupy_streams()
        keyturn_process_share_heap()
        // Optional: continues if the kernel rejects.
        _ = keyturn_process_keep_private()
        ignoreKeyLog()
        findSessionBus()
    }

    /// cron, agents and services start programs without the variables of the user's session, which has the keyring.
    private static func findSessionBus() {
        guard getenv("DBUS_SESSION_BUS_ADDRESS") == nil, getenv("XDG_RUNTIME_DIR") == nil,
            let address = sessionBus(of: geteuid(), in: "/run/user")
        else { return }
        ProcessEnvironment.set("DBUS_SESSION_BUS_ADDRESS", address)
    }

    /// The address of a user's bus, if nobody else can have made it.
    static func sessionBus(of user: uid_t, in folder: String) -> String? {
        let (runtime, path) = ("\(folder)/\(user)", "\(folder)/\(user)/bus")
        func isOwn(_ path: String, _ kind: mode_t, _ others: mode_t) -> Bool {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_uid == user && status.st_mode & S_IFMT == kind
                && status.st_mode & others == 0
        }
        return isOwn(runtime, S_IFDIR, 0o077) && isOwn(path, S_IFSOCK, 0) ? "unix:path=\(path)" : nil
    }

    /// Ignores SSLKEYLOGFILE, to which TLS libraries write the keys of their connections.
    private static func ignoreKeyLog() {
        guard ProcessEnvironment.remove("SSLKEYLOGFILE") else { return }
        // Ignores a closed pipe.
        try? FileDescriptorSink.standardError.write(
            "keyturn: Ignored SSLKEYLOGFILE: its keys would decrypt your tokens.\n")
    }
}
