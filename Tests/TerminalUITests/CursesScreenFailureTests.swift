import Glibc
import TerminalCurses
import Testing

@Suite struct CursesScreenFailureTests {
    static let failures: [CursesScreenFailure] = [
        .inputIsNoTerminal, .outputIsNoTerminal, .terminalNotNamed, .terminalUnknown("foo"), .terminalTooSimple("dumb"),
        .alreadyOpen, .ended(15), .system("opening the terminal", EMFILE),
        .system("opening the terminal", EIO), .limit(.threads),
    ]

    @Test("A limit of the process is told from a problem of the terminal") func limits() {
        #expect(CursesScreenFailure.system("opening the terminal", EMFILE).limit == .openFiles)
        #expect(CursesScreenFailure.limit(.threads).limit == .threads)
        #expect(CursesScreenFailure.system("opening the terminal", EIO).limit == nil)
    }

    @Test("Each failure names its cause and the next step", arguments: failures)
    func words(failure: CursesScreenFailure) {
        #expect(failure.reason.hasSuffix("."))
        #expect(failure.nextStep.hasSuffix("."))
        #expect(failure.reason != failure.nextStep)
    }

    @Test(
        "The text names the terminal in TERM",
        arguments: [CursesScreenFailure.terminalUnknown("foo"), .terminalTooSimple("foo")])
    func name(failure: CursesScreenFailure) {
        #expect(failure.reason.contains("foo"))
    }

    @Test("Without a terminal, the screen fails to open", .enabled(if: isatty(STDIN_FILENO) == 0))
    func noTerminal() {
        #expect(throws: CursesScreenFailure.inputIsNoTerminal) {
            try CursesScreen(environment: ["TERM": "xterm"]) { _exit($0) }
        }
    }
}
