import Glibc
import KeyturnSystem
import MSAL
import TerminalUI

/// Another program that a command runs.
enum RunningProgram {
    /// Throws if the program doesn't exist, before anything else is done.
    static func check(_ command: [String], in environment: [String: String]) throws(Failure) {
        guard ExternalProgram.path(of: command.first ?? "", in: environment) == nil else { return }
        throw Failure(
            .failed, name: "commandNotFound",
            "The program \(Printable.sanitize(command.first ?? "")) doesn't exist.", nextStep: "Check its name and PATH.")
    }

    static func notStarted(_ command: [String], _ reason: String) -> Failure {
        Failure(
            .failed, name: "commandNotStarted",
            "\(Printable.sanitize(command.first ?? "")) didn't start: \(reason).",
            nextStep: "Check that it can be executed.")
    }

    /// Runs the program beside this one, and passes signals on.
    static func run(_ command: [String], _ environment: [String: String]) async throws -> ChildProcess.Exit {
        ProcessReplacement.restoreLimits()
        // They are meant for the program, and would leave behind what it uses.
        for number in [SIGQUIT, SIGUSR1, SIGUSR2] { signal(number, SIG_IGN) }
        let child: ChildProcess
        do throws(ChildProcess.StartFailure) {
            child = try ChildProcess.start(command, environment: environment, .onTerminal)
        } catch {
            throw notStarted(command, error.reason)
        }
        let signals = Task(executorPreference: ThreadPool.current) {
            for await signal in interruptions() where isForChild(signal) {
                child.send(signal == SIGALRM ? SIGTERM : signal)
            }
        }
        defer { signals.cancel() }
        return await child.wait() ?? .killed(SIGKILL)
    }

    /// Ctrl-C on a terminal reaches the program itself.
    private static func isForChild(_ signal: Int32) -> Bool {
        switch signal {
        case SIGCONT: false
        case SIGINT: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].allSatisfy { isatty($0) == 0 }
        default: true
        }
    }
}
