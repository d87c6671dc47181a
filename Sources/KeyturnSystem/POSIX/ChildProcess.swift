import CSystem
import Glibc

/// A child process, which is always reaped.
package final class ChildProcess: Sendable {
    package enum Place: Sendable, Equatable {
        /// In its own session without a terminal, so that Ctrl-C doesn't reach it.
        case detached
        /// Detached, with its output in a pipe.
        case into(Int32, withErrors: Bool)
        /// In the foreground of this process's terminal, like a shell command.
        case onTerminal
        /// In its own session on a pseudo-terminal, which is relayed: it has no way to this process's terminal.
        case onOwnTerminal
    }

    package enum Exit: Sendable, Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    package struct StartFailure: Error {
        package var reason: String
        package var code: Int32?
    }

    private let identifier: pid_t
    private let ended: AsyncStream<Exit>
    /// After that, the process ID may belong to another process.
    private let isReaped = Locked(false)

    package static func start(
        _ command: [String], environment: [String: String], _ place: Place = .detached
    ) throws(StartFailure) -> ChildProcess {
        guard !command.isEmpty else { throw StartFailure(reason: "there is no command") }
        var identifier: pid_t = 0
        let terminal = place == .onOwnTerminal ? keyturn_relay_open() : nil
        guard place != .onOwnTerminal || terminal != nil else {
            throw StartFailure(reason: "no pseudo-terminal is available (\(systemReason(errno)))", code: errno)
        }
        var isRelayed = false
        defer { if terminal != nil, !isRelayed { keyturn_relay_close() } }
        let code = withCStrings(command, environment) { arguments, variables in
            switch place {
            case .detached: keyturn_spawn_detached(arguments, variables, -1, 0, &identifier)
            case .into(let output, let withErrors):
                keyturn_spawn_detached(arguments, variables, output, withErrors ? 1 : 0, &identifier)
            case .onTerminal: keyturn_spawn_on_terminal(arguments, variables, &identifier)
            case .onOwnTerminal: keyturn_spawn_on_own_terminal(arguments, variables, terminal, &identifier)
            }
        }
        guard code == 0 else {
            throw StartFailure(reason: code == ENOENT ? "the program doesn't exist" : systemReason(code), code: code)
        }
        let child = try ChildProcess(waitingFor: identifier)
        guard place == .onOwnTerminal else { return child }
        do { try SystemThread.start { [identifier] in keyturn_relay_run(identifier) } } catch {
            child.killGroup()
            throw StartFailure(reason: error.reason)
        }
        isRelayed = true
        return child
    }

    /// Ends the process again if nothing would wait for it.
    private init(waitingFor identifier: pid_t) throws(StartFailure) {
        self.identifier = identifier
        let (stream, continuation) = AsyncStream.makeStream(of: Exit.self)
        ended = stream
        let reap: @Sendable () -> Void = { [isReaped] in
            // Leave it a zombie until here, so that signals can't reach another process with its ID.
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            var status: Int32 = 0
            isReaped.withLock { isReaped in
                while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
                isReaped = true
            }
            // wait(2): the low seven bits are the signal, the next byte is the exit status.
            let signal = status & 0x7F
            continuation.yield(signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal))
            continuation.finish()
        }
        do { try SystemThread.start(reap) } catch {
            kill(identifier, SIGKILL)
            reap()
            throw StartFailure(reason: error.reason)
        }
    }

    /// Returns `nil` when it is still running after `seconds`.
    package func wait(within seconds: Double) async -> Exit? {
        await within(.seconds(seconds)) { [ended] in await ended.first { _ in true } } ?? nil
    }

    /// Cancellation ends the process and then waits, because it still holds the terminal.
    package func wait() async -> Exit? {
        await withTaskCancellationHandler {
            await Task(executorPreference: ThreadPool.current) { [ended] in await ended.first { _ in true } }.value
        } onCancel: {
            send(SIGTERM)
        }
    }

    /// Ends a detached process, and those that it has started and that are in its group.
    package func killGroup() { send(SIGKILL, to: -identifier) }

    /// Continues a program on its own terminal after this process was stopped.
    package func resume() {
        keyturn_relay_resize()
        send(SIGCONT, to: -identifier)
    }

    package func send(_ signal: Int32) { send(signal, to: identifier) }

    private func send(_ signal: Int32, to receiver: pid_t) {
        isReaped.withLock { isReaped in
            if !isReaped { kill(receiver, signal) }
        }
    }
}

/// Another program in the place of this one, or its end.
package enum ProcessReplacement {
    /// Runs another program in this process, with the signals, limits and files with which this one was started. Returns the
    /// system's error, only if the program can't start.
    package static func become(_ command: [String], _ environment: [String: String]) -> Int32 {
        withCStrings(command, environment) { keyturn_process_become($0, $1) }
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

/// Passes the words of a command and its variables to C, as arrays that end with `NULL`.
private func withCStrings(
    _ command: [String], _ environment: [String: String],
    _ use: (_ arguments: [UnsafeMutablePointer<CChar>?], _ variables: [UnsafeMutablePointer<CChar>?]) -> Int32
) -> Int32 {
    let words = command.map { strdup($0) }
    let variables = ProcessEnvironment.ofProgram(environment).map { strdup("\($0.key)=\($0.value)") }
    defer { for copy in words + variables { free(copy) } }
    return use(words + [nil], variables + [nil])
}
