import Foundation
import TerminalUI
import Testing

@Suite("Text field")
struct TextFieldTests {
    struct Editing: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var start = ""
        var keys: [Key]
        /// With `|` at the cursor.
        var result: String
    }

    static let table: [Editing] = [
        Editing(testDescription: "letters", keys: [.character("a"), .character("é")], result: "aé|"),
        Editing(testDescription: "left and a letter", start: "ac", keys: [.left, .character("b")], result: "ab|c"),
        Editing(testDescription: "left at the start", start: "a", keys: [.left, .left], result: "|a"),
        Editing(testDescription: "right at the end", start: "a", keys: [.right], result: "a|"),
        Editing(testDescription: "home and end", start: "abc", keys: [.home, .right, .end], result: "abc|"),
        Editing(testDescription: "Ctrl-A, Ctrl-F", start: "abc", keys: [.control("a"), .control("f")], result: "a|bc"),
        Editing(testDescription: "Ctrl-B, Ctrl-E", start: "abc", keys: [.control("b"), .control("e")], result: "abc|"),
        Editing(
            testDescription: "backspace takes a whole cluster", start: "e\u{301}👩‍💻", keys: [.backspace], result: "é|"),
        Editing(testDescription: "backspace at the start", start: "a", keys: [.home, .backspace], result: "|a"),
        Editing(testDescription: "delete", start: "abc", keys: [.home, .delete], result: "|bc"),
        Editing(testDescription: "Ctrl-D deletes", start: "abc", keys: [.home, .control("d")], result: "|bc"),
        Editing(testDescription: "Ctrl-U to the start", start: "abc", keys: [.left, .control("u")], result: "|c"),
        Editing(testDescription: "Ctrl-K to the end", start: "abc", keys: [.left, .control("k")], result: "ab|"),
        Editing(
            testDescription: "Ctrl-W stops at punctuation", start: "https://example.org",
            keys: [.control("w")], result: "https://example.|"),
        Editing(
            testDescription: "Ctrl-W takes punctuation on its way", start: "a.b/", keys: [.control("w")], result: "a.|"),
        Editing(
            testDescription: "words back and forth", start: "one two",
            keys: [.alt("b"), .alt("b"), .alt("f")], result: "one| two"),
        Editing(
            testDescription: "Alt and arrows go by words", start: "one two",
            keys: [.alt(.left), .alt(.left), .alt(.right)], result: "one| two"),
        Editing(
            testDescription: "Alt-Backspace deletes a word", start: "one two", keys: [.alt(.backspace)], result: "one |"
        ),
        Editing(
            testDescription: "Alt-D and Alt-Delete delete the word after", start: "one two three",
            keys: [.home, .alt("d"), .alt(.delete)], result: "| three"),
        Editing(
            testDescription: "a mark joins the letter before it", start: "e", keys: [.character("\u{301}")],
            result: "é|"),
    ]

    @Test("Keys edit as in readline", arguments: table)
    func keys(_ row: Editing) {
        var field = TextField(row.start)
        for key in row.keys {
            let isTaken = field.press(key)
            #expect(isTaken)
        }
        #expect(marked(field) == row.result.precomposedStringWithCanonicalMapping)
    }

    /// The text with a bar at the cursor: typed there to find its position.
    private func marked(_ field: TextField) -> String {
        var field = field
        field.insert("|")
        return field.text.precomposedStringWithCanonicalMapping
    }

    @Test(
        "A field ignores other keys", arguments: [Key.enter, .escape, .tab, .up, .control("c")])
    func otherKeys(_ key: Key) {
        var field = TextField("text")
        let isTaken = field.press(key)
        #expect(!isTaken)
        #expect(field.text == "text")
    }

    @Test("A paste goes to the cursor, on one line, without escape sequences")
    func paste() {
        #expect(TextField("ädé").masked == TextField("***"))
        var field = TextField("ad")
        _ = field.press(.left)
        field.insert("b\u{1B}[31m\u{202E}c\n")
        #expect(field.text == "ab[31mcd")
        field.insert("x\ny")
        #expect(field.text == "ab[31mcx yd")
    }

    @Test("The cursor is beside wide characters, not within them")
    func wide() {
        var field = TextField("日本語")
        #expect(cursor(of: field, width: 10)?.position == Point(x: 6, y: 0))
        _ = field.press(.left)
        #expect(cursor(of: field, width: 10)?.position == Point(x: 4, y: 0))
    }

    @Test(
        "A field enforces its maximum length, and long text stays fast to type and show", .timeLimit(.minutes(1))
    )
    func limit() {
        var field = TextField()
        for _ in 0..<TextField.mostBytes + 10 {
            _ = field.press(.character("x"))
            _ = cursor(of: field, width: 10)
        }
        #expect(field.text.utf8.count == TextField.mostBytes)
        var pasted = TextField()
        pasted.insert(String(repeating: "x", count: TextField.mostBytes + 1))
        #expect(pasted.isEmpty)
    }

    @Test("Long text is shown around the cursor", arguments: [12, 9, 5, 2, 1])
    func scrolls(width: Int) {
        var field = TextField("https://login.example.org/日本語/authorize")
        for _ in 0...field.text.count {
            var surface = Surface(size: Size(width: width, height: 1))
            field.draw(on: &surface, in: surface.bounds)
            #expect(surface.cursor.map { $0.isVisible && surface.bounds.contains($0.position) } == true)
            _ = field.press(.left)
        }
    }

    @Test("The end of a long text and its start, with a mark for the omitted part")
    func marks() {
        var field = TextField("https://login.example.org/contoso")
        #expect(text(of: field, width: 16) == "…le.org/contoso")
        _ = field.press(.home)
        #expect(text(of: field, width: 16) == "https://login.e…")
    }

    @Test("An empty field shows its example, and has no cursor without the focus")
    func placeholder() {
        var surface = Surface(size: Size(width: 20, height: 1))
        TextField().draw(on: &surface, in: surface.bounds, placeholder: "https://…", hasFocus: false)
        #expect(surface.lines == ["https://…"])
        #expect(surface.cursor == nil)
        TextField().draw(on: &surface, in: surface.bounds, placeholder: "https://…")
        #expect(surface.cursor == Surface.Cursor(.zero))
    }

    private func cursor(of field: TextField, width: Int) -> Surface.Cursor? { drawn(field, width).cursor }
    private func text(of field: TextField, width: Int) -> String { drawn(field, width).lines.joined() }

    private func drawn(_ field: TextField, _ width: Int) -> Surface {
        var surface = Surface(size: Size(width: width, height: 1))
        field.draw(on: &surface, in: surface.bounds)
        return surface
    }
}
