import CSystem
import Glibc
import KeyturnSystem

/// Prepares the process.
package enum ProcessGuards {
    package static func set() {
        // A closed pipe is an error of the write, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        // So is a limit on the size of files.
        signal(SIGXFSZ, SIG_IGN)
        keyturn_process_occupy_streams()
        keyturn_process_share_heap()
        // Optional: continues if the kernel rejects.
        _ = keyturn_process_keep_private()
        ignoreKeyLog()
    }

    /// Ignores SSLKEYLOGFILE, to which TLS libraries write the keys of their connections.
    private static func ignoreKeyLog() {
        guard ProcessEnvironment.remove("SSLKEYLOGFILE") else { return }
        // Ignores a closed pipe.
        try? FileDescriptorSink.standardError.write(
            "keyturn: Ignored SSLKEYLOGFILE: its keys would decrypt your tokens.\n")
    }
}
