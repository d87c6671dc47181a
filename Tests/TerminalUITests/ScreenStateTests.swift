import Testing

@testable import TerminalCurses

@Suite("State of the screen")
struct ScreenStateTests {
    @Test("A signal after the one that ends the program, and no echo of it, ends it at once")
    func overdue() {
        let start = ContinuousClock.now
        var state = ScreenState()
        #expect(!state.isOverdue(at: start))
        state.exitsSince = start
        #expect(!state.isOverdue(at: start + .milliseconds(299)))
        #expect(state.isOverdue(at: start + .milliseconds(301)))
        state.isClosing = true
        #expect(!state.isOverdue(at: start + .seconds(9)), "It ends by itself.")
    }
}
