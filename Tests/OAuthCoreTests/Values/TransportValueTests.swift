import Foundation
import OAuthCore
import Testing

@Suite("Parameters")
struct ParametersTests {
    static let rows: [(String, Parameters)] = [
        ("a=1&b=2", ["a": "1", "b": "2"]),
        ("a=x+y&b=%C3%A9", ["a": "x y", "b": "é"]),
        ("a&b=&=c", ["a": "", "b": "", "": "c"]),
        ("&&a=1&", ["a": "1"]),
        ("a=%zz&b=%4&c=%+1", ["a": "%zz", "b": "%4", "c": "% 1"]),
        ("a=b=c", ["a": "b=c"]),
        ("a=%FF", ["a": "\u{FFFD}"]),
        ("", [:]),
    ]

    @Test("Are read from a form", arguments: rows)
    func parses(text: String, parameters: Parameters) {
        #expect(Parameters(formEncoded: text) == parameters)
    }

    @Test("Survive encoding and decoding")
    func roundTrip() {
        let parameters: Parameters = ["scope": "a b", "x&y": "=%+é\n\u{202E}", "empty": ""]
        #expect(Parameters(formEncoded: parameters.formEncoded) == parameters)
        #expect(parameters.formEncoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    }

    @Test("Setting a value keeps its place and drops duplicates")
    func setting() {
        var parameters = Parameters(formEncoded: "a=1&b=2&a=3")
        #expect(parameters.count(of: "a") == 2)
        #expect(parameters.firstRepeatedName == "a")
        parameters["a"] = "4"
        #expect(parameters.formEncoded == "a=4&b=2")
        parameters["a"] = nil
        #expect(parameters.formEncoded == "b=2")
    }
}

@Suite("JSON")
struct JSONValueTests {
    @Test("Integers keep all their digits")
    func integers() throws {
        #expect(try JSONValue(parsing: "9223372036854775807") == .integer(.max))
        #expect(try JSONValue(parsing: #"{"a":9007199254740993}"#).serialized == #"{"a":9007199254740993}"#)
        for (text, integer) in [("1.0", 1), ("-2.5e7", -25_000_000), ("-0", 0), ("0.0", 0), ("12e2", 1200)] {
            #expect(try JSONValue(parsing: text) == .integer(Int64(integer)))
        }
        #expect(try JSONValue(parsing: "1.5") == .number(1.5))
        #expect(try JSONValue(parsing: "[-1e999]") == .array([.number(-.greatestFiniteMagnitude)]))
        #expect(try JSONValue(parsing: "92233720368547758.0") == .number(92_233_720_368_547_760))
    }

    @Test("Equal values have equal bytes")
    func stable() throws {
        let value = try JSONValue(parsing: #" { "b" : [1, null, true], "a" : "/\u00e9" } "#)
        #expect(value.serialized == #"{"a":"/é","b":[1,null,true]}"#)
    }

    @Test(
        "Anything but one JSON text is rejected",
        arguments: [
            "", "{", "[1", #"{"a":1}x"#, #"{"a":1}{"b":2}"#, "NaN", "01", "'a'", "{\"a\":1", "\"\u{1}\"",
        ])
    func rejects(text: String) {
        #expect(throws: JSONValue.Malformed.self) { try JSONValue(parsing: text) }
    }

    @Test(
        "Duplicate members are found at every level",
        arguments: [
            (#"{"a":1,"b":{"a":2},"c":[{"a":3},{"a":4}]}"#, false), (#"{"a":1,"b":2,"a":3}"#, true),
            (#"{"a":{"x":1},"b":[{"y":1,"y" : 2}]}"#, true), (#"{"a":"a","b":"a"}"#, false),
            (#"{"\u0061":1,"a":2}"#, true), (#"{"a\"":1,"a\\":2,"a":"\"a\":"}"#, false), (#"["a","a"]"#, false),
            ("1", false),
        ])
    func repeated(text: String, isRepeated: Bool) throws {
        #expect(try JSONValue.read(Array(text.utf8)).hasRepeatedMembers == isRepeated)
    }

    @Test("Deeply nested brackets are rejected without recursion", arguments: ["[", #"{"a":"#])
    func nesting(opening: String) {
        let tower = String(repeating: opening, count: 100_000)
        #expect(throws: JSONValue.Malformed.self) { try JSONValue(parsing: tower) }
    }
}

@Suite("Header fields")
struct HTTPHeadersTests {
    @Test("Are found in any letter case and keep their duplicates")
    func names() {
        var headers: HTTPHeaders = ["Set-Cookie": "a", "Date": "x"]
        headers.append("set-cookie", "b")
        #expect(headers["SET-COOKIE"] == "a")
        #expect(headers.all("Set-Cookie") == ["a", "b"])
        headers["DATE"] = "y"
        #expect(headers.fields.count { $0.name.lowercased() == "date" } == 1)
    }
}

@Suite("Secrets")
struct SecretTests {
    @Test("Print as redacted in every way")
    func redacted() {
        let secret = Secret("hunter2")
        var dumped = ""
        dump(["token": secret], to: &dumped)
        let texts = ["\(secret)", String(reflecting: secret), "\([secret])", "\(Optional(secret) as Any)", dumped]
        for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
        #expect(secret.reveal() == "hunter2")
    }
}
