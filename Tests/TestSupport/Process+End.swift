import Foundation
import Glibc

extension Process {
    /// Waits until the process has ended. `waitUntilExit` hears of it by a socket, which other children that were started at
    /// the same moment may hold: it then waits for those as well.
    package func waitForEnd() {
        var end = siginfo_t()
        // Who is no child any more has been collected by Foundation.
        while waitid(P_PID, id_t(processIdentifier), &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
    }
}
