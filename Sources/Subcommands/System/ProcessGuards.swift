import CProcess
import Glibc
import POSIX

/// What the process does before anything else.
package enum ProcessGuards {
    package static func set() {
        // Writing to a reader that is gone shall be an error that a command hears of, not the end of the process.
        signal(SIGPIPE, SIG_IGN)
        keyturn_process_occupy_streams()
        keyturn_process_share_heap()
        // Where the kernel refuses, the work goes on as it would without.
        _ = keyturn_process_keep_private()
        ignoreKeyLog()
    }

    /// OpenSSL, browsers and other TLS libraries write the keys of every connection to the file that this variable names.
    private static func ignoreKeyLog() {
        guard ProcessEnvironment.remove("SSLKEYLOGFILE") else { return }
        // Without a reader the warning is lost, and the work goes on.
        try? FileDescriptorSink.standardError.write(
            "keyturn: ignored SSLKEYLOGFILE, because the keys in that file would decrypt your tokens.\n")
    }
}
