import Console
import Foundation
import TerminalUI
import Testing

@Suite("The command table")
struct CommandsTests {
    @Test("A key has one meaning on each screen", arguments: Layer.allCases)
    func unambiguous(focus: Layer) {
        let keys = focus.commands.flatMap(\.keys)
        #expect(Set(keys).count == keys.count)
    }

    @Test("Every screen can be left, and names the key", arguments: Layer.allCases)
    func leavable(focus: Layer) {
        #expect(focus.command(for: .escape) != nil)
        #expect(focus.command(for: .control("c"))?.name == "interrupt")
        #expect(focus.commands.contains { $0.hint != nil })
    }

    @Test("A name means one command on each screen", arguments: Layer.allCases)
    func names(focus: Layer) {
        let names = focus.commands.map(\.name)
        #expect(Set(names).count == names.count)
    }

    @Test func everyKeyLayerIsTested() {
        #expect(KeyTable.all.map(\.title) == Layer.allCases.map(\.rawValue))
    }

    @Test("Descriptions are full sentences", arguments: Set(allCommands.map(\.command.sentence)))
    func sentences(sentence: String) {
        #expect(sentence.first?.isUppercase == true)
        #expect(sentence.last == ".")
    }

    @Test func destructiveCommandsHaveACapitalLetterOrAConfirmation() {
        let dangerous = allCommands.filter(\.command.isDangerous)
        #expect(
            dangerous.map(\.layer) == [
                .accounts, .removalDialog, .removalDialog, .removalDialog, .removalsDialog, .removalsDialog, .profiles,
                .profileRemovalDialog, .doorDialog, .doors,
            ])
        #expect(
            dangerous.map(\.command.keys)
                == ["D", "y", "V", "B", "y", "V", "D", "y", "y", "D"].map { [.character($0)] })
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

    /// The committed document matches the command table. With `KEYTURN_RECORD=1` it is written, and the test fails.
    @Test func theDocumentMatchesTheCommandTable() throws {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../docs/keys.md").standardized
        if ProcessInfo.processInfo.environment["KEYTURN_RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(KeysDocument.markdown.utf8).write(to: file)
            Issue.record("Recorded docs/keys.md. Review it, then run the tests again.")
        }
        let committed = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        #expect(committed == KeysDocument.markdown, "docs/keys.md differs from the command table.")
    }
}
