import Glibc
import TerminalCurses
import Testing

@Suite struct CursesScreenFailureTests {
    static let failures: [CursesScreenFailure] = [
        .inputIsNoTerminal, .outputIsNoTerminal, .terminalNotNamed, .terminalUnknown("foo"), .terminalTooSimple("dumb"),
        .alreadyOpen, .system("opening the terminal", 24),
    ]

    @Test("each failure says what is wrong and what to do", arguments: failures)
    func words(failure: CursesScreenFailure) {
        #expect(failure.reason.hasSuffix("."))
        #expect(failure.nextStep.hasSuffix("."))
        #expect(failure.reason != failure.nextStep)
    }

    @Test(
        "the terminal that TERM names is in the words",
        arguments: [CursesScreenFailure.terminalUnknown("foo"), .terminalTooSimple("foo")])
    func name(failure: CursesScreenFailure) {
        #expect(failure.reason.contains("foo"))
    }

    @Test("without a terminal the screen refuses", .enabled(if: isatty(STDIN_FILENO) == 0))
    func noTerminal() {
        #expect(throws: CursesScreenFailure.inputIsNoTerminal) { try CursesScreen(environment: ["TERM": "xterm"]) }
    }
}
