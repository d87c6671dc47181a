import Glibc
import Testing

@testable import Subcommands

@Suite("Interruption")
struct InterruptionTests {
    /// In a process of its own: signals reach all of a process, and another test's terminal session would take them.
    @Test("Each signal cancels the work again", .timeLimit(.minutes(10)))
    func interrupted() async {
        await #expect(processExitsWith: .success) {
            for number in [SIGINT, SIGTERM, SIGHUP, SIGINT] {
                let error = await #expect(throws: Interrupted.self) {
                    try await interruptible {
                        kill(getpid(), number)
                        // Ends when the task is cancelled.
                        for await _ in AsyncStream<Never>.makeStream().stream {}
                    }
                }
                #expect(error?.signal == number)
                #expect(error.map { ExitCode($0).rawValue } == 128 + number)
            }
        }
    }
}
