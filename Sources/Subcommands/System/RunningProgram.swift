import CSystem
import Glibc
import KeyturnSystem
import MSAL
import TerminalUI

enum RunningProgram {
    /// Throws if the program doesn't exist, before anything else is done.
    static func check(_ command: [String], in environment: [String: String]) throws(Failure) {
        let name = command.first ?? ""
        guard ExternalProgram.path(of: name, in: environment) == nil else { return }
        guard !name.contains("/") || access(name, F_OK) != 0 else { throw notStarted(command, systemReason(EACCES)) }
        throw Failure(
            .notFound, name: "commandNotFound", "The program \(Printable.sanitize(name)) doesn't exist.",
            nextStep: "Check its name and PATH.")
    }

    static func notStarted(_ command: [String], code: Int32, _ environment: [String: String]) -> Failure {
        guard code == E2BIG else { return notStarted(command, systemReason(code)) }
        var failure = notStarted(command, "its arguments and variables are too long")
        failure.advice = "Use fewer or shorter ones."
        // MAX_ARG_STRLEN (execve(2)) counts the name, the sign and the final zero.
        let most = 32 * sysconf(Int32(_SC_PAGESIZE))
        let long = environment.filter { $0.key.utf8.count + $0.value.utf8.count + 2 > most }.keys.sorted()
        if let name = long.first {
            failure.reason =
                "The value of the variable \(name) is too long for a program: Linux allows \(most) bytes. "
                + "\(Printable.sanitize(command.first ?? "")) didn't start."
            failure.advice = "Pass a long token in a file (--token-file FILE)."
        }
        return failure
    }

    static func notStarted(_ command: [String], _ reason: String) -> Failure {
        Failure(
            .notExecutable, name: "commandNotStarted",
            "\(Printable.sanitize(command.first ?? "")) didn't start: \(reason).",
            nextStep: "Check that it can be executed.")
    }

    /// Watched from now on: a signal that isn't watched ends this process, and leaves behind what the program uses.
    static func signals() -> AsyncStream<Int32> { interruptions(and: [SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH]) }

    /// Runs the program beside this one, and passes signals on.
    ///
    /// - Parameter close: called when this process is asked to end. The program is asked too, and ended if it stays.
    static func run(
        _ command: [String], _ environment: [String: String], _ all: AsyncStream<Int32> = signals(),
        at place: ChildProcess.Place = .onTerminal, closing close: @escaping @Sendable () -> Void
    ) async throws -> ChildProcess.Exit {
        ProcessReplacement.restoreLimits()
        let child: ChildProcess
        do { child = try ChildProcess.start(command, environment: environment, place) } catch {
            throw error.code == E2BIG
                ? notStarted(command, code: E2BIG, environment) : notStarted(command, error.reason)
        }
        let signals = Task(executorPreference: ThreadPool.current) {
            for await signal in all where isForChild(signal, place) {
                if [SIGCONT, SIGWINCH].contains(signal) {
                    child.resume()
                    continue
                }
                let closes = [SIGTERM, SIGHUP, SIGALRM].contains(signal)
                if closes { close() }
                child.send(signal == SIGALRM ? SIGTERM : signal)
                if closes { end(child) }
            }
        }
        defer { signals.cancel() }
        let exit = await child.wait() ?? .killed(SIGKILL)
        if place == .onOwnTerminal { keyturn_relay_end() }
        return exit
    }

    private static func end(_ child: ChildProcess) {
        // A stopped program must go on to end.
        child.send(SIGCONT)
        Task(executorPreference: ThreadPool.current) {
            guard (try? await sleep(for: .seconds(5))) != nil else { return }
            child.send(SIGKILL)
            keyturn_relay_abandon()
        }
    }

    /// Ctrl-C and Ctrl-\ on a terminal reach the program itself, as does the size of the terminal that it shares.
    private static func isForChild(_ signal: Int32, _ place: ChildProcess.Place) -> Bool {
        if place == .onOwnTerminal { return true }
        return switch signal {
        case SIGCONT, SIGWINCH: false
        case SIGINT, SIGQUIT: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 0 }
        default: true
        }
    }
}
