import CSpawn
import Foundation
import Glibc
import Locks

/// A program that goes on without us: in a session of its own, so that Ctrl-C in this terminal does not reach it, with
/// nothing of the terminal's, and never left as a zombie.
final class DetachedProcess: Sendable {
    enum End: Sendable, Equatable {
        case exited(Int32)
        case killed(Int32)
    }

    struct Refused: Error {
        var reason: String
    }

    private let ended: AsyncStream<End>

    static func start(
        _ command: [String], environment: [String: String]
    ) throws(Refused) -> DetachedProcess {
        guard !command.isEmpty else { throw Refused(reason: "there is no command") }
        var identifier: pid_t = 0
        let code = withCStrings(command) { arguments in
            withCStrings(environment.map { "\($0.key)=\($0.value)" }) { variables in
                keyturn_spawn_detached(arguments, variables, &identifier)
            }
        }
        guard code == 0 else {
            throw Refused(reason: code == ENOENT ? "there is no such program" : String(cString: strerror(code)))
        }
        return DetachedProcess(waitingFor: identifier)
    }

    private init(waitingFor identifier: pid_t) {
        let (stream, continuation) = AsyncStream.makeStream(of: End.self)
        ended = stream
        Thread.detachNewThread {
            var status: Int32 = 0
            var result = waitpid(identifier, &status, 0)
            while result < 0 && errno == EINTR { result = waitpid(identifier, &status, 0) }
            // wait(2): the low seven bits are the signal, the next byte the status.
            let signal = status & 0x7F
            continuation.yield(signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal))
            continuation.finish()
        }
    }

    /// How it ended, or `nil` when it still runs after `seconds`.
    func end(within seconds: Double) async -> End? {
        await withTaskGroup(of: End?.self) { group in
            group.addTask { [ended] in await ended.first { _ in true } }
            group.addTask {
                // Woken early only when cancelled, and then nobody waits any more.
                try? await Task.sleep(for: .seconds(seconds))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
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
