import CSystem
import Testing

@testable import Subcommands

@Suite("Editing a line")
struct LineEditorTests {
    private static let keys = keyturn_terminal_keys(erase: 0x7F, erase_word: 0x17, kill: 0x15, end: 0x04)

    @Test(
        "Keys, the text that they make, and the echo",
        arguments: [
            ("ab\n", "ab\n", "ab\n"), ("ab", "", "ab"), ("ab\u{7F}c\n", "ac\n", "ab\u{8} \u{8}c\n"),
            ("a\u{8}\u{8}b\n", "b\n", "a\u{8} \u{8}b\n"), ("é\u{7F}e\n", "e\n", "é\u{8} \u{8}e\n"),
            ("日\u{7F}\n", "\n", "日\u{8} \u{8}\u{8} \u{8}\n"),
            ("\u{1B}\u{7F}\n", "\n", "^[\u{8} \u{8}\u{8} \u{8}\n"),
            ("ab\u{15}c\n", "c\n", "ab\u{8} \u{8}\u{8} \u{8}c\n"),
            ("a bc \u{17}d\n", "a d\n", "a bc \u{8} \u{8}\u{8} \u{8}\u{8} \u{8}d\n"),
            ("ab\u{4}c\n", "abc\n", "abc\n"), ("a\nb\n", "a\nb\n", "a\nb\n"),
        ])
    func lines(typed: String, text: String, echo: String) {
        // Also byte by byte.
        for size in [typed.utf8.count, 1] {
            var editor = LineEditor(Self.keys)
            var whole = LineEditor.Outcome()
            var rest = Array(typed.utf8)[...]
            while !rest.isEmpty {
                let outcome = editor.take(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                whole.text += outcome.text
                whole.echo += outcome.echo
                #expect(!outcome.isFinished)
            }
            #expect(String(decoding: whole.text, as: UTF8.self) == text)
            #expect(String(decoding: whole.echo, as: UTF8.self) == echo)
        }
    }

    @Test func theEndKeyOnAnEmptyLineEndsTheInput() {
        var editor = LineEditor(Self.keys)
        #expect(editor.take(Array("a\n".utf8)).isFinished == false)
        #expect(
            editor.take(Array("b\n\u{4}".utf8))
                == LineEditor.Outcome(echo: [0x62, 0x0A], text: [0x62, 0x0A], isFinished: true))
        #expect(editor.take([0x04, 0x61]) == LineEditor.Outcome(isFinished: true))
    }

    @Test func longLinesAreWholeUpToALimit() {
        var editor = LineEditor(Self.keys)
        let long = [UInt8](repeating: 0x61, count: LineEditor.mostBytes)
        #expect(editor.take(long) == LineEditor.Outcome(echo: long))
        #expect(editor.take([0x61]).echo == [0x07])
        #expect(editor.take([0x0A]).text == long + [0x0A])
    }

    @Test func keysThatAreOffAreOrdinary() {
        var editor = LineEditor(keyturn_terminal_keys(erase: 0, erase_word: 0, kill: 0, end: 0))
        #expect(editor.take([0x04, 0x00, 0x0A]).text == [0x04, 0x00, 0x0A])
    }
}
