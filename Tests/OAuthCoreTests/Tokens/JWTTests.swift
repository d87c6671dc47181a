import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

private func part(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }

@Suite("JSON Web Tokens")
struct JWTTests {
    /// RFC 7519 §3.1.
    static let published =
        "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
        + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
        + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test("The RFC's example is parsed")
    func example() throws {
        let token = try JWT(parsing: Self.published)
        #expect(token.header == ["typ": "JWT", "alg": "HS256"])
        #expect(token.payload == ["iss": "joe", "exp": 1_300_819_380, "http://example.com/is_root": true])
        #expect(token.signature == CodeVerifierTests.octets)
        #expect(token.signingInput == Array(Self.published.utf8.dropLast(44)))
        #expect(token.claims.expiry == Date(timeIntervalSince1970: 1_300_819_380))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var failure: JWTMalformed
    }

    static let rows: [Row] = [
        Row(testDescription: "nothing", text: "", failure: .partCount(1)),
        Row(testDescription: "two parts", text: "e30.e30", failure: .partCount(2)),
        Row(testDescription: "an encrypted token", text: "e30.a.b.c.d", failure: .partCount(5)),
        Row(testDescription: "a header with padding", text: "e30=.e30.", failure: .notBase64URL(.header)),
        Row(testDescription: "a header with a line end", text: "e30\n.e30.", failure: .notBase64URL(.header)),
        Row(testDescription: "a payload of base64 proper", text: "e30.e3+0.", failure: .notBase64URL(.payload)),
        Row(testDescription: "a signature with spaces", text: "e30.e30. ", failure: .notBase64URL(.signature)),
        Row(testDescription: "a header that is an array", text: "\(part("[]")).e30.", failure: .notJSONObject(.header)),
        Row(testDescription: "a truncated payload", text: "e30.\(part("{\"a\":")).", failure: .notJSONObject(.payload)),
        Row(
            testDescription: "a header with two algorithms", text: "\(part(#"{"alg":"RS256","alg":"none"}"#)).e30.",
            failure: .repeatedMember(.header)),
        Row(
            testDescription: "a payload with two subjects, one in disguise",
            text: "e30.\(part(#"{"sub":"a","s\u0075b":"b"}"#)).", failure: .repeatedMember(.payload)),
        Row(
            testDescription: "an extension that must be understood",
            text: "\(part(#"{"crit":["b64"],"b64":false}"#)).e30.", failure: .criticalExtensions),
        Row(
            testDescription: "too long", text: String(repeating: "a", count: JWT.maximumLength + 1),
            failure: .tooLong(limit: JWT.maximumLength)),
    ]

    @Test("Rejects invalid tokens", arguments: rows)
    func rejects(row: Row) {
        #expect(throws: row.failure) { try JWT(parsing: row.text) }
    }

    @Test("An unsigned token is readable, so that its missing signature can be reported")
    func unsigned() throws {
        #expect(try JWT(parsing: "\(part(#"{"alg":"none"}"#)).e30.").signature.isEmpty)
    }

    @Test("A new token reads back")
    func compact() throws {
        let text = try JWT.compact(header: ["alg": "X"], payload: ["sub": "é"]) { input throws(JWTMalformed) in
            Array(input.reversed())
        }
        let token = try JWT(parsing: text)
        #expect(token.payload == ["sub": "é"])
        #expect(token.signature == Array(token.signingInput.reversed()))
    }

    static let timeRows: [(JSONValue, Double?)] = [
        (10, 10), (.number(10.5), 10.5), ("10", nil), (true, nil), (.null, nil), (.number(1e300), nil),
        (.integer(.max), nil),
    ]

    @Test("Times are JSON numbers within the calendar's range", arguments: timeRows)
    func numericDates(value: JSONValue, seconds: Double?) {
        #expect(IDTokenClaims(["exp": value]).expiry?.timeIntervalSince1970 == seconds)
    }

    static let audienceRows: [(JSONValue, [String]?)] = [
        ("a", ["a"]), (["a", "b"], ["a", "b"]), (["a", 1], nil), (1, nil), (.null, nil),
    ]

    @Test("An audience is one name or several, and nothing else", arguments: audienceRows)
    func audiences(value: JSONValue, names: [String]?) {
        #expect(IDTokenClaims(["aud": value]).audiences == names)
    }
}

@Suite("client_info")
struct ClientInfoTests {
    @Test("Has the home account")
    func reads() throws {
        let info = try ClientInfo(parsing: part(#"{"uid":"AB","utid":"Cd","more":1}"#))
        #expect(info.uid == "AB")
        #expect(info.utid == "Cd")
        #expect(info.homeAccountID == "ab.cd")
        #expect(try ClientInfo(parsing: ClientInfo(uid: "AB", utid: "Cd").raw).homeAccountID == "ab.cd")
    }

    @Test(
        "Is rejected without both halves",
        arguments: [
            "", "e30", part(#"{"uid":"a"}"#), part(#"{"uid":"","utid":"b"}"#), part(#"{"uid":1,"utid":"b"}"#), "***",
            part("[]"), String(repeating: "a", count: 9000), part(#"{"uid":"a\u0000x","utid":"b"}"#),
            part(#"{"uid":"a","utid":"b\u009b"}"#), part(#"{"uid":"a","utid":"\u007f"}"#),
        ])
    func rejects(text: String) {
        #expect(throws: ClientInfo.Malformed()) { try ClientInfo(parsing: text) }
    }
}
