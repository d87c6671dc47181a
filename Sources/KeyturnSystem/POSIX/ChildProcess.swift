import CSystem
import Glibc

/// A child process, which is always reaped.
package final class ChildProcess: Sendable {
    /// The relation of the process to the terminal.
    package enum Place: Sendable, Equatable {
        /// In its own session without a terminal, so that Ctrl-C doesn't reach it.
        case detached
        /// Detached, with its output in a pipe.
        /// - Parameter withErrors: whether standard error is in it too.
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
        /// The system's error, if it names one.
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
        let code = CStrings.with(command) { arguments in
            CStrings.with(ProcessEnvironment.ofProgram(environment).map { "\($0.key)=\($0.value)" }) { variables in
                switch place {
                case .detached: keyturn_spawn_detached(arguments, variables, -1, 0, &identifier)
                case .into(let output, let withErrors):
                    keyturn_spawn_detached(arguments, variables, output, withErrors ? 1 : 0, &identifier)
                case .onTerminal: keyturn_spawn_on_terminal(arguments, variables, &identifier)
                case .onOwnTerminal:
                    keyturn_spawn_on_own_terminal(arguments, variables, terminal, &identifier)
                }
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

    /// Waits for the process to end. Returns `nil` when it is still running after `seconds`.
    package func wait(within seconds: Double) async -> Exit? {
        await within(.seconds(seconds)) { [ended] in await ended.first { _ in true } } ?? nil
    }

    /// Waits for the process to end. Cancellation ends the process and then waits, because it still holds the terminal.
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

    /// Sends a signal, unless the process has ended.
    package func send(_ signal: Int32) { send(signal, to: identifier) }

    private func send(_ signal: Int32, to receiver: pid_t) {
        isReaped.withLock { isReaped in
            if !isReaped { kill(receiver, signal) }
        }
    }
}

enum CStrings {
    /// Passes texts to C as a `NULL`-terminated array.
    static func with<Value>(
        _ texts: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return use(copies + [nil])
    }
}
