import KeyturnSystem
import Testing

@testable import Subcommands

@Suite("Text editor")
struct EditorTests {
    @Test(
        "The user's editor, at the line in its own way",
        arguments: [
            (["VISUAL": "nvim", "EDITOR": "ed"], ["nvim", "+7", "/c.json"]),
            (["EDITOR": "emacsclient -t"], ["emacsclient", "-t", "+7", "/c.json"]),
            (["EDITOR": "'/opt/my editor/hx'"], ["/opt/my editor/hx", "/c.json:7"]),
            (["EDITOR": "code --wait"], ["code", "--wait", "--goto", "/c.json:7"]),
            (["VISUAL": "", "EDITOR": "unknown"], ["unknown", "/c.json"]), ([:], ["nano", "+7", "/c.json"]),
        ])
    func command(environment: [String: String], arguments: [String]) {
        let editor = Editor(in: environment) { $0 == "nano" }
        #expect(editor.arguments("/c.json", at: 7) == arguments)
    }

    @Test("Without a line, only the file is named")
    func noLine() {
        #expect(Editor(in: ["EDITOR": "vi"]).arguments("/c.json", at: nil) == ["vi", "/c.json"])
    }

    @Test("What is missing is said: an editor, the terminal, the program")
    func failures() async throws {
        let lend: @Sendable (@Sendable () async -> Void) async -> Void = { use in await use() }
        for (editor, lends, reason) in [
            (Editor(in: [:]) { _ in false }, true, "There is no editor."),
            (Editor(in: ["EDITOR": "vi"]), false, "vi needs the whole terminal."),
            (Editor(in: ["EDITOR": "/none"]), true, "The editor /none: the program doesn't exist."),
        ] {
            do {
                try await editor.edit("/c.json", at: 1, lends ? lend : nil)
                Issue.record("It opened.")
            } catch {
                #expect(error.reason == reason)
                #expect(error.advice.contains("/c.json"))
            }
        }
    }
}
