import Foundation
import TerminalUI
import Testing

@testable import Console

@Suite struct StepListTests {
    @Test("Steps show their state by mark, not only by colour")
    func marks() throws {
        var states: [FlowProgress.Step] = [.findAuthority, .redeemCode, .verifyIDToken, .saveTokens].map { .init($0) }
        (states[0].state, states[0].startedAt, states[0].endedAt) = (.succeeded, testTime, testTime + 0.2)
        (states[1].state, states[1].startedAt, states[1].detail) = (.running, testTime, "Esc cancels")
        states[2].state = .failed
        var context = newModel().context
        (context.now, context.spinner) = (testTime + 12, 1)
        let lines = try #require(
            StepList(steps: states, method: .browser, context: context).choices(width: 46).first)
        let spinner = Glyphs.unicode.spinnerFrame(tick: 1)
        #expect(
            lines.map { $0.spans.map(\.text).joined() } == [
                "✓ Find the authority                     0.2 s",
                "\(spinner) Redeem the code                         12 s",
                "  Esc cancels", "✗ Verify the ID token                         ",
                "· Save the tokens                             ",
            ])
    }
}
