import DemoAuthority
import Diagnosis
import Foundation
import JSON
import MSAL
import Testing

@Suite("Error dictionary")
struct ErrorDictionaryTests {
    private static let everyEntry = ErrorDictionary.Kind.allCases.flatMap { ErrorDictionary.bundled.entries(of: $0) }

    /// Every number that the type has a case for.
    private static let codes = (-50200...(-49999)).compactMap(MSALError.init)

    @Test("Has every code of MSALError by number and name", arguments: codes)
    func code(_ code: MSALError) {
        #expect(ErrorDictionary.bundled.entry(msal: code.rawValue)?.name == "\(code)")
    }

    @Test("Has every number of the built-in authority", arguments: AuthorityErrorCode.allCases)
    func builtIn(code: AuthorityErrorCode) {
        #expect(ErrorDictionary.bundled.entry(sts: code.rawValue) != nil)
    }

    @Test("Lists numbers in order, so that a new one has one place", arguments: ["msal", "sts", "b2c", "broker"])
    func order(_ section: String) throws {
        let text = try Self.text("../../../Resources/errors.json")
        let start = try #require(text.range(of: "\n  \"\(section)\": {\n")).upperBound
        let end = try #require(text.range(of: "\n  }", range: start..<text.endIndex)).lowerBound
        let numbers = text[start..<end].split(separator: "\n").compactMap { line in
            line.split(separator: "\"").dropFirst().first.flatMap { Int($0) }
        }
        #expect(numbers.count > 10)
        #expect(numbers.map(abs) == numbers.map(abs).sorted())
    }

    /// The text of a file beside this one.
    private static func text(_ path: String) throws -> String {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: path).standardized
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// The numbers on Microsoft's page of AADSTS codes, and others that public threads report.
    private static let published = (try? text("aadsts-published.txt"))?.split(whereSeparator: \.isWhitespace) ?? []
    private static let reported = [
        65006, 90135, 500111, 500112, 500116, 500119, 500277, 500341, 500581, 501314, 650051, 700081, 7_000_014,
    ]

    @Test("Has every published number, and none of them is taken for a mistyped one")
    func publishedNumbers() {
        #expect(Self.published.count == 345)
        for number in Self.published.map(String.init) + Self.reported.map(String.init) {
            let entry = ErrorDictionary.bundled.entry(.sts, number)
            #expect(entry?.meaning.isEmpty == false && entry?.nextStep.isEmpty == false, "\(number)")
            #expect(ErrorDictionary.bundled.code(near: number) == nil)
        }
    }

    /// The numbers on Microsoft's page of Azure AD B2C's codes.
    private static let publishedB2C = (try? text("aadb2c-published.txt"))?.split(whereSeparator: \.isWhitespace) ?? []

    @Test("Has every published number of Azure AD B2C")
    func publishedB2CNumbers() {
        #expect(Self.publishedB2C.count == 130)
        for number in Self.publishedB2C.map(String.init) {
            let entry = ErrorDictionary.bundled.entry(.b2c, number)
            #expect(entry?.meaning.isEmpty == false && entry?.nextStep.isEmpty == false, "\(number)")
        }
    }

    @Test("Writes each next step once: alone, or as a group that several entries use")
    func groups() throws {
        let file = try JSONValue(parsing: Self.text("../../../Resources/errors.json"))
        let steps = file["groups"]?.object ?? [:]
        let kinds = ErrorDictionary.Kind.allCases.filter { $0 != .phrase }
        let records = kinds.flatMap { (file[$0.rawValue]?.object ?? [:]).values }
        var texts: Set<String> = []
        for text in (records + steps.values).compactMap({ $0["next"]?.string }) {
            #expect(texts.insert(text).inserted, "\(text)")
        }
        var uses: [String: Int] = [:]
        for record in records {
            #expect((record["next"] == nil) != (record["group"] == nil))
            if let group = record["group"]?.string { uses[group, default: 0] += 1 }
        }
        #expect(Set(uses.keys) == Set(steps.keys) && uses.values.allSatisfy { $0 > 1 })
    }

    @Test("No two numbers after AADSTS have the same meaning")
    func meanings() {
        var meanings: Set<String> = []
        for entry in ErrorDictionary.bundled.entries(of: .sts) {
            #expect(meanings.insert(entry.meaning).inserted, "\(entry.code)")
        }
    }

    @Test("An entry has its group's next step")
    func groupOfEntry() {
        let entry = ErrorDictionary.bundled.entry(sts: 500022)
        #expect(entry?.nextStep.contains("network administrator") == true && entry?.who == .operator)
        #expect(ErrorDictionary.bundled.entry(sts: 50011)?.who == nil)
    }

    @Test func theTypeHasTheExpectedNumberOfCodes() {
        #expect(Self.codes.count == 10)
    }

    @Test("Has every internal code by number and name", arguments: MSALInternalError.allCases)
    func internalCode(_ code: MSALInternalError) {
        #expect(ErrorDictionary.bundled.entry(msal: code.rawValue)?.name == "\(code)")
    }

    @Test(
        "Has every error of the protocols",
        arguments: [
            // RFC 6749 §4.1.2.1, §5.2.
            "invalid_request", "unauthorized_client", "access_denied", "unsupported_response_type", "invalid_scope",
            "server_error", "temporarily_unavailable", "invalid_client", "invalid_grant", "unsupported_grant_type",
            // OpenID Connect Core §3.1.2.6.
            "interaction_required", "login_required", "account_selection_required", "consent_required",
            "invalid_request_uri", "invalid_request_object", "request_not_supported", "request_uri_not_supported",
            "registration_not_supported",
            // RFC 8628 §3.5, RFC 6750 §3.1, RFC 8707 §2.
            "authorization_pending", "slow_down", "expired_token", "invalid_token", "insufficient_scope",
            "invalid_target",
        ])
    func oauth(error: String) {
        let source = ErrorDictionary.bundled.entry(.oauth, error)?.source
        #expect(source?.contains("§") == true)
    }

    @Test(
        "Has the errors of public clients at several providers",
        arguments: [
            ("AADSTS901002", "AADSTS901002"), ("AADSTS9010010", "AADSTS9010010"), ("AADSTS530084", "AADSTS530084"),
            ("AADSTS135010", "AADSTS135010"), ("redirect_uri_mismatch", "Google"), ("mfa_required", "Auth0"),
            ("illegal_redirect_uri", "Okta"), ("cookie_not_found", "Keycloak"),
        ])
    func providers(code: String, mark: String) throws {
        let entry = try #require(ErrorDictionary.bundled.entries(for: code).first)
        #expect([entry.code, entry.source].contains(mark))
    }

    @Test("Has every status of the broker", arguments: 0...13)
    func broker(status: Int) {
        #expect(ErrorDictionary.bundled.entry(.broker, "\(status)")?.name?.isEmpty == false)
    }

    @Test("Meanings and next steps are plain sentences", arguments: everyEntry)
    func sentences(entry: ErrorDictionary.Entry) {
        for text in [entry.meaning, entry.nextStep] {
            #expect(text.last == "." && text.first?.isUppercase == true && text.count < 200, "\(entry.code): \(text)")
        }
        #expect(!entry.source.isEmpty)
    }

    @Test(
        "A code is found in all its notations",
        arguments: [
            ("-50002", ["-50002"]), ("interactionRequired", ["-50002", "2"]),
            ("MSALErrorInteractionRequired", ["-50002"]),
            ("MSALError.userCanceled", ["-50005"]), ("MSALInternalErrorInvalidGrant", ["-42004"]),
            ("INVALID_GRANT", ["invalid_grant"]), (" bad_token\n", ["bad_token"]), ("AADSTS50076", ["AADSTS50076"]),
            ("aadsts50076", ["AADSTS50076"]), ("50076", ["AADSTS50076"]), ("AADB2C90118", ["AADB2C90118"]),
            ("50002", ["AADSTS50002", "-50002"]), ("consent_required", ["consent_required", "consent_required"]),
            ("2", ["2"]), ("UserSwitch", ["12"]),
            (
                "AADSTS50058: no session. Or AADSTS50058, AADSTS65001?",
                [
                    "AADSTS50058", "AADSTS65001",
                ]
            ), ("AADSTS99999999", []), ("nonsense", []), ("", []), ("-99", []),
        ] as [(String, [String])])
    func lookup(text: String, codes: [String]) {
        #expect(ErrorDictionary.bundled.entries(for: text).map(\.code) == codes)
    }

    @Test(
        "Only a near number is suggested",
        arguments: [
            ("50021", "AADSTS50012"), ("50067", "AADSTS50076"), ("50077", "AADSTS50076"), ("70013", "AADSTS70012"),
            ("50222", nil), ("7999999", nil),
            ("70", nil), ("-50099", nil), ("-50020", "-50002"),
            // Listed.
            ("50010", nil), ("50012", nil), ("50076", nil), ("90118", nil), ("-50002", nil),
        ])
    func near(number: String, expected: String?) {
        #expect(ErrorDictionary.bundled.code(near: number) == expected)
    }

    @Test(
        "An entry needs a next step or a known group",
        arguments: [
            (#""next":"Wait.""#, true), (#""group":"known""#, true), (#""group":"unknown""#, false),
            (#""group":1"#, false),
            (#""name":"a""#, false),
        ])
    func nextStep(member: String, isValid: Bool) {
        #expect(Self.loads(#"{"next":"Go on.","who":"user"}"#, #"{"meaning":"A.",\#(member)}"#) == isValid)
    }

    @Test("A group needs a next step and a party that the program knows")
    func invalidGroup() {
        let entry = #"{"meaning":"A.","next":"B."}"#
        for group in [#"{"next":"Go on."}"#, #"{"who":"user"}"#, #"{"next":"Go on.","who":"somebody"}"#] {
            #expect(!Self.loads(group, entry))
        }
    }

    /// Whether a file with this group and this entry can be loaded.
    private static func loads(_ group: String, _ entry: String) -> Bool {
        let sections = ErrorDictionary.Kind.allCases.map { #""\#($0.rawValue)":{"1":\#(entry)}"# }
        let file = #"{"groups":{"known":\#(group)},\#(sections.joined(separator: ","))}"#
        return (try? ErrorDictionary(JSONValue(parsing: file))) != nil
    }
}
