import CSystem
import Glibc

/// Another program in the place of this one, or its end.
package enum ProcessReplacement {
    /// Runs another program in this process, with the signals, limits and files with which this one was started. Returns the
    /// system's error, only if the program can't start.
    package static func become(_ command: [String], _ environment: [String: String]) -> Int32 {
        CStrings.with(command) { arguments in
            CStrings.with(ProcessEnvironment.ofProgram(environment).map { "\($0.key)=\($0.value)" }) {
                keyturn_process_become(arguments, $0)
            }
        }
    }

    /// For a child process, which inherits the limits.
    package static func restoreLimits() { keyturn_process_restore_limits() }

    /// Ends this process with the status of another one, as a shell does.
    package static func end(with exit: ChildProcess.Exit) -> Never {
        switch exit {
        case .exited(let status): _exit(status)
        case .killed(let signal): _exit(128 + signal)
        }
    }
}
