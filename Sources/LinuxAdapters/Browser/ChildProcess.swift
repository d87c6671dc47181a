import CSpawn
import Foundation
import Glibc
import Locks
import Tasks

/// A program that this one started. It is never left as a zombie.
final class ChildProcess: Sendable {
    /// Where it runs.
    enum Place: Sendable {
        /// On its own: in a session of its own, so that Ctrl-C in this terminal does not reach it, with nothing of the
        /// terminal's.
        case detached
        /// On this process's terminal, in its foreground, like a command that a shell runs.
        case onTerminal
    }

    enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    struct Refused: Error {
        var reason: String
    }

    private let identifier: pid_t
    private let ended: AsyncStream<End>
    /// Once the process is reaped its number may be another's.
    private let isReaped = Locked(false)

    static func start(
        _ command: [String], environment: [String: String], _ place: Place = .detached
    ) throws(Refused) -> ChildProcess {
        guard !command.isEmpty else { throw Refused(reason: "there is no command") }
        var identifier: pid_t = 0
        let code = withCStrings(command) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                switch place {
                case .detached: keyturn_spawn_detached(arguments, variables, &identifier)
                case .onTerminal: keyturn_spawn_on_terminal(arguments, variables, &identifier)
                }
            }
        }
        guard code == 0 else {
            throw Refused(reason: code == ENOENT ? "there is no such program" : String(cString: strerror(code)))
        }
        return ChildProcess(waitingFor: identifier)
    }

    private init(waitingFor identifier: pid_t) {
        self.identifier = identifier
        let (stream, continuation) = AsyncStream.makeStream(of: End.self)
        ended = stream
        Thread.detachNewThread { [isReaped] in
            // It stays a zombie for as long as this takes, so that whoever sends it a signal hits no other process.
            var information = siginfo_t()
            while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            var status: Int32 = 0
            isReaped.withLock { isReaped in
                while waitpid(identifier, &status, 0) < 0 && errno == EINTR {}
                isReaped = true
            }
            // wait(2): the low seven bits are the signal, the next byte the status.
            let signal = status & 0x7F
            continuation.yield(signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal))
            continuation.finish()
        }
    }

    /// How it ended, or `nil` when it still runs after `seconds`.
    func end(within seconds: Double) async -> End? {
        await within(.seconds(seconds)) { [ended] in await ended.first { _ in true } } ?? nil
    }

    /// How it ended. Cancelling ends it, and still waits for that: what it holds is free only then.
    func end() async -> End? {
        await withTaskCancellationHandler {
            await Task(executorPreference: ThreadPool.current) { [ended] in await ended.first { _ in true } }.value
        } onCancel: {
            isReaped.withLock { isReaped in
                if !isReaped { kill(identifier, SIGTERM) }
            }
        }
    }

    /// A `NULL`-terminated array of C strings, for as long as `use` runs.
    private static func withCStrings<Value>(
        _ texts: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return use(copies + [nil])
    }
}
