import DemoAuthority
import Diagnosis
import Foundation
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
        let file = URL(fileURLWithPath: #filePath).appending(path: "../../../../Resources/errors.json").standardized
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let start = try #require(text.range(of: "\n  \"\(section)\": {\n")).upperBound
        let end = try #require(text.range(of: "\n  }", range: start..<text.endIndex)).lowerBound
        let numbers = text[start..<end].split(separator: "\n").compactMap { line in
            line.split(separator: "\"").dropFirst().first.flatMap { Int($0) }
        }
        #expect(numbers.count > 10)
        #expect(numbers.map(abs) == numbers.map(abs).sorted())
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
            ("50010", "AADSTS50001"), ("50101", "AADSTS50011"), ("50012", "AADSTS50011"), ("50067", "AADSTS50076"),
            ("50038", nil),
            ("7999999", nil),
            ("70", nil), ("-50099", nil),
        ])
    func near(number: String, expected: String?) {
        #expect(ErrorDictionary.bundled.code(near: number) == expected)
    }

    @Test func anInvalidFileIsRejected() {
        #expect(throws: (any Error).self) { try ErrorDictionary(json: Data(#"{"msal":{"1":{}}}"#.utf8)) }
    }
}
