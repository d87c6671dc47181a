import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Failures")
struct FailureReportTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var domain: String = MSALErrorDomain
        var code: MSALError = .internal
        var inner: MSALInternalError?
        var underlying: String?
        var exitCode: ExitCode
        var testDescription: String { name }
    }

    static let store = "NSOSStatusErrorDomain"

    static let rows = [
        Row(name: "interaction required", code: .interactionRequired, exitCode: .interactionRequired),
        Row(name: "cancelled", code: .userCanceled, exitCode: .cancelled),
        Row(name: "declined scopes", code: .serverDeclinedScopes, exitCode: .declinedScopes),
        Row(name: "protection policy", code: .serverProtectionPoliciesRequired, exitCode: .failed),
        Row(name: "network inside", inner: .internalErrorUnexpected, underlying: NSURLErrorDomain, exitCode: .network),
        Row(name: "network outside", domain: NSURLErrorDomain, exitCode: .network),
        Row(name: "store inside", inner: .internalErrorUnexpected, underlying: store, exitCode: .store),
        Row(name: "store outside", domain: store, exitCode: .store),
        Row(name: "scheme", inner: .internalErrorRedirectSchemeNotRegistered, exitCode: .configuration),
        Row(name: "redirect URI", inner: .internalErrorInvalidRedirectURI, exitCode: .configuration),
        Row(name: "client", inner: .internalErrorInvalidClient, exitCode: .configuration),
        Row(name: "authority", inner: .internalErrorFailedAuthorityValidation, exitCode: .configuration),
        Row(name: "state", inner: .internalErrorInvalidState, exitCode: .failed),
        Row(name: "nothing inside", exitCode: .failed),
        Row(name: "somebody else's", domain: "Elsewhere", code: .userCanceled, exitCode: .failed),
    ]

    @Test("exit codes", arguments: rows)
    func exitCode(_ row: Row) {
        var userInfo: [String: Any] = [:]
        userInfo[MSALInternalErrorCodeKey] = row.inner?.rawValue
        userInfo[NSUnderlyingErrorKey] = row.underlying.map { NSError(domain: $0, code: -1) }
        let error = NSError(domain: row.domain, code: row.code.rawValue, userInfo: userInfo)
        #expect(FailureReport(error).exitCode == row.exitCode)
    }

    @Test("the numbers of the exit codes are those of the manual")
    func numbers() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 129, 143])
    }

    static let refused = NSError(
        domain: MSALErrorDomain, code: MSALError.internal.rawValue,
        userInfo: [
            NSLocalizedDescriptionKey: "The authority refused: \u{1b}[31mno\u{202e}.",
            NSLocalizedRecoverySuggestionErrorKey: "Check the client ID.",
            MSALInternalErrorCodeKey: MSALInternalError.internalErrorInvalidClient.rawValue,
            MSALOAuthErrorKey: "invalid_client", MSALOAuthSubErrorKey: "bad", MSALSTSErrorCodesKey: [700_016],
            MSALCorrelationIDKey: "0000-1",
        ])

    @Test("for a person: what, what next, and what to quote; nothing a terminal would obey")
    func text() {
        #expect(
            FailureReport(Self.refused).text == """
                keyturn: The authority refused: [31mno.
                         Check the client ID.
                         (internalErrorInvalidClient -42003, -50000, correlation ID 0000-1)

                """)
    }

    @Test("for a program: one JSON object on one line")
    func json() {
        let expected =
            #"{"error":{"code":-50000,"correlationId":"0000-1","description":"The authority refused: [31mno.","#
            + #""domain":"MSALErrorDomain","internalCode":-42003,"name":"internalErrorInvalidClient","#
            + #""nextStep":"Check the client ID.","oauthError":"invalid_client","stsCodes":[700016],"subError":"bad"}}"#
            + "\n"
        #expect(FailureReport(Self.refused).json == expected)
    }

    @Test("the program's own failures carry their exit code")
    func own() {
        let configuration = ConfigurationError(
            file: "c", mistakes: [.init(line: 2, key: "a", problem: "is wrong", remedy: "Right it")])
        let report = FailureReport(configuration)
        #expect(report.exitCode == .configuration)
        #expect(report.text == "keyturn: c:2: a: is wrong. Right it.\n")
        #expect(report.json.contains(#""domain":"KeyturnErrorDomain""#))
        #expect(FailureReport(UsageError.needsTerminal(instead: "x")).exitCode == .usage)
        #expect(FailureReport(CancellationError()).exitCode == .cancelled)
    }
}
