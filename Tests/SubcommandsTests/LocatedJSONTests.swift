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

    @Test("Lines of keys and values")
    func lines() throws {
        let json = try LocatedJSON(parsing: "{\n\"a\":\n[1,\n2]}")
        guard case .object(let members) = json.content, case .array(let elements) = members[0].value.content else {
            Issue.record("not an object with a list")
            return
        }
        #expect(members[0].line == 2)
        #expect(members[0].value.line == 3)
        #expect(elements.map(\.line) == [3, 4])
    }

    @Test(
        "Hostile text is rejected",
        arguments: [
            "{", "[", "\"", "\"\\", "\"\\u12", #""\ud800""#, #""\ud800\u0041""#, #""\x""#, "{\"a\"}", "{\"a\":}",
            "[1 2]",
            "01x", "--1", "tru", "\"a\nb\"", "\"a\tb\"", "-inf", "-0x1p3", "01", "1.", "{} {}", "[1,]", "{a:1}", "'a'",
            "# x", "\u{FEFF}{}",
            String(repeating: "[", count: 100_000),
        ])
    func hostile(_ text: String) {
        #expect(throws: LocatedJSON.Malformed.self) { try LocatedJSON(parsing: text) }
    }
}
