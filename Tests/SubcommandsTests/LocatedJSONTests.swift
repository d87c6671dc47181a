import JSON
import Testing

@testable import Subcommands

@Suite("JSON with line numbers")
struct LocatedJSONTests {
    @Test(
        "Values",
        arguments: [
            ("null", LocatedJSON.Content.null), (" true ", .bool(true)), ("-1.5e3", .number("-1.5e3")),
            (#""a\"\\\/\n\u00e9\ud83d\ude00""#, .string("a\"\\/\né😀")), ("[]", .array([])), ("{}", .object([])),
            ("\r\n\t\"x\"", .string("x")), ("\"a\u{2028}b\u{85}\"", .string("a\u{2028}b\u{85}")),
            ("\"\u{301}a\"", .string("\u{301}a")), ("0.5e-7", .number("0.5e-7")),
        ])
    func values(_ text: String, _ expected: LocatedJSON.Content) throws {
        #expect(try LocatedJSON(parsing: text).content == expected)
    }

    @Test("Places of keys and values")
    func places() throws {
        let text = "{\n\"é\":\n[1,\n2]}"
        let json = try LocatedJSON(parsing: text)
        guard case .object(let members) = json.content, case .array(let elements) = members[0].value.content else {
            Issue.record("not an object with a list")
            return
        }
        #expect(
            [json.offset, members[0].offset, members[0].value.offset] + elements.map(\.offset) == [0, 2, 8, 9, 12])
        let lines = TextLines(Array(text.utf8))
        #expect([0, 1, 2, 8, 12, 14].map(lines.line) == [1, 1, 2, 3, 4, 4])
    }

    @Test("A line ends with LF, CR LF or CR")
    func lineEnds() {
        let lines = TextLines(Array("a\r\nb\rc\n\nd".utf8))
        #expect([0, 1, 2, 3, 5, 7, 8].map(lines.line) == [1, 1, 1, 2, 3, 4, 5])
        #expect((1...5).map(lines.start) == [0, 3, 5, 7, 8])
    }

    @Test(
        "Invalid JSON is reported with its place and fix",
        arguments: [
            ("", 1, 1, "the file ends here", "Add a value: a string in quotes, a number, true, false, null, [ or {"),
            ("{\"a\":1,\n \"e\u{301}\" x", 2, 6, "unexpected 'x'", "Add a colon after the key \"e\u{301}\""),
            (
                "[1\r\n,é\u{301}]", 2, 2, "unexpected 'é\u{301}'",
                "Add a value: a string in quotes, a number, true, false, null, [ or {"
            ),
            ("{\"a\":1 \"b\":2}", 1, 8, "unexpected '\"'", "Add a comma, or '}' to end the object"),
            ("[1 2]", 1, 4, "unexpected '2'", "Add a comma, or ']' to end the list"),
            ("[1,\r ]", 2, 2, "comma before ']'", "Remove the last comma"),
            ("{} \u{202E}", 1, 4, "'\u{202E}' after the end", "Remove everything after the last closing brace"),
            ("{a:1}", 1, 2, "unexpected 'a'", "Add a key in double quotes"),
            ("[ 1.2.3]", 1, 3, "'1.2.3' is not a JSON value", "Put a string in double quotes: \"1.2.3\""),
            ("truer", 1, 1, "'truer' is not a JSON value", "Put a string in double quotes: \"truer\""),
            ("['a']", 1, 2, "JSON strings need double quotes", "Use \" instead of '"),
            ("// x", 1, 1, "JSON has no comments", "Remove the comment"),
            ("\"a\nb\"", 1, 3, "the string doesn't end on its line", "Add the closing quote"),
            ("\"a", 1, 3, "the file ends inside a string", "Add the closing quote"),
            ("\"a\tb\"", 1, 3, "control character in a string", "Use \\t for a tab"),
            (#""\x""#, 1, 3, "invalid escape", #"Use \\ for a backslash"#),
            (#""\u12""#, 1, 4, "four hexadecimal digits required", "Use the character itself"),
            (#""\ud800\u0041""#, 1, 14, "half of a surrogate pair", "Use the character itself"),
            (String(repeating: "[", count: 33), 1, 33, "nested too deeply", "A configuration has at most four levels"),
        ])
    func problems(text: String, line: Int, column: Int, problem: String, remedy: String) {
        let error = #expect(throws: InvalidJSON.self) { try LocatedJSON(parsing: text) }
        #expect([error?.line, error?.column] == [line, column])
        #expect([error?.problem, error?.remedy] == [problem, remedy])
    }

    @Test(
        "Hostile text is rejected",
        arguments: [
            "{", "[", "\"", "\"\\", "\"\\u12", #""\ud800""#, #""\ud800\u0041""#, #""\ud83d\de00""#, #""\x""#, "{\"a\"}",
            "{\"a\":}",
            "[1 2]",
            "01x", "--1", "tru", "\"a\nb\"", "\"a\tb\"", "-inf", "-0x1p3", "01", "1.", "{} {}", "[1,]", "{a:1}", "'a'",
            "# x",
            String(repeating: "[", count: 100_000),
        ])
    func hostile(_ text: String) {
        #expect(throws: InvalidJSON.self) { try LocatedJSON(parsing: text) }
    }
}
