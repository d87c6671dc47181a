import Glibc
import Testing

@testable import Subcommands

/// Part of the serial suite: signals reach the whole process.
extension SignInTests {
    @Test("Each signal cancels the work again", arguments: [SIGINT, SIGTERM, SIGHUP, SIGINT])
    func interrupted(_ number: Int32) async {
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
