import Foundation
import MSAL
import Testing

@testable import Subcommands

@Suite("Failures")
struct FailureReportTests {
    @Test(
        "The type of a failure determines the exit code",
        arguments: [
            (.signInRequired, .interactionRequired), (.unavailable, .network), (.misconfigured, .configuration),
            (.protocolViolation, .failed), (.rejected, .failed), (.canceled, .cancelled),
            (.declinedScopes, .declinedScopes), (.store, .store), (.other, .failed),
        ] as [(MSALFailureKind, ExitCode)])
    func exitCode(kind: MSALFailureKind, exitCode: ExitCode) {
        let error = NSError(domain: MSALErrorDomain, code: -50000, userInfo: [MSALFailureKindKey: kind.rawValue])
        #expect(FailureReport(error).exitCode == exitCode)
    }

    @Test(
        "A sign-in that fails doesn't advise the same command again",
        arguments: [
            ("Sign in interactively. Then go on.", "Run 'keyturn sign-in'. Then go on."),
            ("Sign out in the browser.", "Sign out in the browser."),
        ])
    func advice(suggestion: String, nextStep: String) {
        let error = NSError(
            domain: MSALErrorDomain, code: -50002,
            userInfo: [
                MSALFailureKindKey: MSALFailureKind.signInRequired.rawValue,
                NSLocalizedRecoverySuggestionErrorKey: suggestion,
            ])
        #expect(FailureReport(error).nextStep == nextStep)
    }

    @Test("A foreign error has no type")
    func foreign() {
        let error = NSError(domain: "Elsewhere", code: MSALError.userCanceled.rawValue)
        #expect(FailureReport(error).exitCode == .failed)
    }

    @Test("The exit codes match the manual")
    func numbers() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 129, 143])
    }

    static let rejected = NSError(
        domain: MSALErrorDomain, code: MSALError.internal.rawValue,
        userInfo: [
            NSLocalizedDescriptionKey: "Request rejected: \u{1b}[31mno\u{202e}.",
            NSLocalizedRecoverySuggestionErrorKey: "Check the client ID.",
            MSALInternalErrorCodeKey: MSALInternalError.internalErrorInvalidClient.rawValue,
            MSALOAuthErrorKey: "invalid_client", MSALOAuthSubErrorKey: "bad", MSALSTSErrorCodesKey: [700_016],
            MSALCorrelationIDKey: "0000-1", MSALFailureKindKey: "misconfigured", MSALRetryAfterKey: 29.5,
        ])

    @Test("Text has the outcome, the next step and details for support, without escape sequences")
    func text() {
        #expect(
            FailureReport(Self.rejected).text == """
                keyturn: The authority rejected this application.
                         Request rejected: [31mno.
                         Check the client ID.
                         (internalErrorInvalidClient -42003, -50000, correlation ID 0000-1)

                """)
    }

    @Test("JSON is one object on one line")
    func json() {
        let expected =
            #"{"error":{"code":-50000,"correlationId":"0000-1","description":"Request rejected: [31mno.","#
            + #""domain":"MSALErrorDomain","headline":"The authority rejected this application.","internalCode":-42003,"kind":"misconfigured","name":"internalErrorInvalidClient","#
            + #""nextStep":"Check the client ID.","oauthError":"invalid_client","retryAfter":30,"stsCodes":[700016],"subError":"bad"}}"#
            + "\n"
        #expect(FailureReport(Self.rejected).json == expected)
    }

    @Test("The program's own failures have their exit code")
    func own() {
        let configuration = ConfigurationError(
            file: "c", mistakes: [.init(line: 2, key: "a\u{1B}[2J", problem: "is wrong", remedy: "Right it")])
        let report = FailureReport(configuration)
        #expect(report.exitCode == .configuration)
        let lines = ["The configuration is invalid.", "c:2: a[2J: is wrong.", "Right it."]
        #expect(report.text == "keyturn: " + lines.joined(separator: "\n         ") + "\n")
        #expect(report.json.contains(#""domain":"KeyturnErrorDomain""#))
        #expect(FailureReport(UsageError.needsTerminal).exitCode == .usage)
        #expect(FailureReport(CancellationError()).exitCode == .cancelled)
    }
}
