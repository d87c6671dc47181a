import Console
import Foundation
import TerminalUI
import Testing

@Suite("The command table")
struct CommandsTests {
    @Test("A key has one meaning on a screen", arguments: Focus.allCases)
    func unambiguous(focus: Focus) {
        let keys = Commands.on(focus).flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test("Every screen can be left, and says how", arguments: Focus.allCases)
    func leavable(focus: Focus) {
        #expect(Commands.command(for: .escape, on: focus) != nil)
        #expect(Commands.command(for: .control("c"), on: focus)?.id == .interrupt)
        #expect(Commands.on(focus).contains { $0.hint != nil })
    }

    @Test func everyCommandIsInTheTable() {
        #expect(Set(Commands.all.map(\.id)) == Set(CommandID.allCases))
    }

    @Test("Sentences are sentences", arguments: Commands.all.map(\.sentence))
    func sentences(sentence: String) {
        #expect(sentence.first?.isUppercase == true)
        #expect(sentence.last == ".")
    }

    @Test func whatHurtsIsACapitalLetterOrAsksFirst() {
        let keys = Commands.all.filter(\.isDangerous).map { ($0.keys, $0.focuses) }
        #expect(keys.map(\.0) == [[.character("D")], [.character("D")], [.character("y")]])
        #expect(keys.map(\.1) == [[.accounts], [.profiles], [.removalDialog, .profileRemovalDialog]])
    }

    @Test(
        "Labels",
        arguments: [
            (Key.control("c"), "Ctrl-C", "Ctrl-C"), (.up, "↑", "Up"), (.backTab, "Shift-Tab", "Shift-Tab"),
            (.character(" "), "Space", "Space"), (.function(5), "F5", "F5"), (.alt("x"), "Alt-x", "Alt-x"),
        ])
    func labels(key: Key, label: String, ascii: String) {
        #expect(KeyLabel.text(key) == label)
        #expect(KeyLabel.text(key, ascii: true) == ascii)
    }

    /// The committed document is the table's. With `KEYTURN_RECORD=1` it is written, and the test fails.
    @Test func theDocumentIsTheTable() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/keys.md").standardized
        if ProcessInfo.processInfo.environment["KEYTURN_RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(KeysDocument.markdown.utf8).write(to: file)
            Issue.record("Recorded docs/keys.md. Look at it, then run the tests again.")
        }
        let committed = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(committed == KeysDocument.markdown, "docs/keys.md is not the command table's.")
    }
}
