import Foundation
import TerminalUI
import Testing

@Suite("Clipboard route")
struct ClipboardRouteTests {
    @Test(
        "The environment determines the route",
        arguments: [
            (["TERM": "xterm-256color"], ClipboardRoute.direct), (["TERM": "foot"], .direct),
            (["TERM": "tmux-256color", "TMUX": "/tmp/t,1,0"], .tmux),
            (["TERM": "screen", "TMUX": "/tmp/t,1,0"], .tmux),
            (["TERM": "tmux-256color"], .tmux), (["TERM": "screen-256color"], .screen),
            (["TERM": "xterm", "STY": "1.pts-0"], .screen), (["TERM": "xterm", "TMUX": "", "STY": ""], .direct),
            (["TERM": "linux"], .none("linux")), (["TERM": "vt220"], .none("vt220")), ([:], .none("")),
        ])
    func route(environment: [String: String], expected: ClipboardRoute) {
        #expect(ClipboardRoute(environment: environment) == expected)
    }

    @Test func xtermGetsThePlainSequence() {
        #expect(ClipboardRoute.direct.sequence(for: "héllo") == "\u{1B}]52;c;aMOpbGxv\u{07}")
    }

    @Test func tmuxGetsItForItselfAndForTheTerminalOutside() {
        let plain = "\u{1B}]52;c;YQ==\u{07}"
        #expect(ClipboardRoute.tmux.sequence(for: "a") == plain + "\u{1B}Ptmux;\u{1B}\(plain)\u{1B}\\")
    }

    @Test("GNU screen gets pieces that it does not cut", arguments: [1, 570, 571, 5000])
    func screen(length: Int) throws {
        let text = String(repeating: "a", count: length)
        let sequence = try #require(ClipboardRoute.screen.sequence(for: text))
        let pieces = sequence.components(separatedBy: "\u{1B}\\").dropLast()
        #expect(pieces.allSatisfy { $0.hasPrefix("\u{1B}P") && $0.utf8.count <= 766 })
        let joined = pieces.map { $0.dropFirst(2) }.joined()
        #expect(joined == ClipboardRoute.direct.sequence(for: text))
    }

    /// 74,994 bytes of Base64 are 56,244 bytes of text plus two.
    @Test("The size is limited", arguments: [(56_244, true), (56_247, false)])
    func limit(length: Int, isSent: Bool) {
        let text = String(repeating: "a", count: length)
        #expect((ClipboardRoute.direct.sequence(for: text) != nil) == isSent)
    }

    @Test(
        "A terminal without clipboard access gets a reason",
        arguments: [ClipboardRoute.direct, .none("linux"), .none("")])
    func rejection(route: ClipboardRoute) {
        #expect(route.rejection.hasSuffix("."))
        #expect(route.sequence(for: String(repeating: "a", count: 99_999)) == nil)
    }

    @Test func theTextIsSentOnlyEncoded() throws {
        let hostile = "\u{1B}]0;title\u{07}\u{9B}2J"
        let sequence = try #require(ClipboardRoute.direct.sequence(for: hostile))
        #expect(sequence.dropFirst().dropLast().allSatisfy { $0.isASCII && $0.asciiValue.map { $0 >= 0x20 } == true })
    }
}
