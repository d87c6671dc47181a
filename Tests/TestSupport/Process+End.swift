import Foundation
import Glibc

extension Process {
    /// Waits until the process has ended. `waitUntilExit` waits for a socket that other children started at the same
    /// moment may hold: it would wait for those too.
    package func waitForEnd() {
        var end = siginfo_t()
        // A process that is no longer a child has been collected by Foundation.
        while waitid(P_PID, id_t(processIdentifier), &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }
}
