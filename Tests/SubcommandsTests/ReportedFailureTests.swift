import Foundation
import Glibc
import MSAL
import Testing

@testable import Subcommands

@Suite("Failures")
struct ReportedFailureTests {
    @Test(
        "The type of a failure determines the exit code",
        arguments: [
            (.signInRequired, .interactionRequired), (.unavailable, .network), (.misconfigured, .configuration),
            (.protocolViolation, .failed), (.rejected, .failed), (.canceled, .cancelled),
            (.declinedScopes, .declinedScopes), (.store, .store), (.other, .failed),
        ] as [(MSALFailureKind, ExitCode)])
    func exitCode(kind: MSALFailureKind, exitCode: ExitCode) {
        let failure = Failure(headline: "", reason: "", kind: kind, domain: MSALErrorDomain, code: -50000)
        #expect(ExitCode(failure) == exitCode)
    }

    @Test(
        "A sign-in that fails doesn't advise the same command again",
        arguments: [
            (.signIn, "Then go on.", "Run 'keyturn sign-in'. Then go on."), (.signIn, "", "Run 'keyturn sign-in'."),
            (nil, "Sign out in the browser.", "Sign out in the browser."),
        ] as [(Failure.NextStep?, String, String)])
    func advice(nextStep: Failure.NextStep?, advice: String, words: String) {
        let failure = Failure(headline: "", reason: "", nextStep: nextStep, advice: advice, kind: .signInRequired)
        let reported = Failure(reporting: failure)
        #expect(reported.advice == words && reported.nextStep == .signInAsAdvised)
        #expect(Failure(reporting: reported) == reported, "reported twice, the words are there once")
    }

    @Test(
        "A file that can't be written: the next step removes the reason",
        arguments: [
            (ENOSPC, "Free disk space"), (EDQUOT, "Free disk space"), (EACCES, "permissions"), (EISDIR, "Use a file"),
            (ENOENT, "Create the folder"), (EROFS, "elsewhere"),
        ])
    func unwritable(code: Int32, words: String) {
        let failure = Failure.unwritable("/home/ann/out.json", code, name: "unwritable")
        #expect(failure.advice.contains(words) && "\(failure)".contains("/home/ann/out.json: "), "\(failure)")
    }

    @Test("A foreign error has no type")
    func foreign() {
        let error = NSError(domain: "Elsewhere", code: MSALError.userCanceled.rawValue)
        #expect(Failure(reporting: error).exitCode == .failed)
    }

    @Test("The exit codes match the manual")
    func numbers() {
        #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 126, 127, 130, 129, 143])
        for exitCode in ExitCode.allCases {
            #expect(ExitCode(Failure(exitCode, name: "x", "It failed.", nextStep: "")) == exitCode)
        }
    }

    static let rejected = Failure(
        headline: "The authority rejected this application.", reason: "Request rejected: \u{1b}[31mno\u{202e}.",
        advice: "Check the client ID.", kind: .misconfigured, domain: MSALErrorDomain,
        code: MSALError.internal.rawValue, codeNames: ["internal", "internalErrorInvalidClient"],
        internalCode: MSALInternalError.internalErrorInvalidClient.rawValue, oauthError: "invalid_client",
        oauthSubError: "bad", serviceCodes: [700_016], correlationID: "0000-1", retryAfter: 29.5)

    @Test("Text has the outcome, the next step and details for support, without escape sequences")
    func text() {
        #expect(
            Failure(reporting: Self.rejected).text == """
                keyturn: The authority rejected this application.
                         Request rejected: [31mno.
                         Check the client ID and the tenant. A user of the tenant may need to consent first.
                         (internalErrorInvalidClient -42003, -50000, correlation ID 0000-1)

                """)
    }

    @Test("JSON is one object on one line")
    func json() {
        let expected =
            #"{"error":{"code":-50000,"correlationId":"0000-1","description":"Request rejected: [31mno.","#
            + #""domain":"MSALErrorDomain","headline":"The authority rejected this application.","internalCode":-42003,"kind":"misconfigured","name":"internalErrorInvalidClient","#
            + #""nextStep":"Check the client ID and the tenant. A user of the tenant may need to consent first.","#
            + #""oauthError":"invalid_client","retryAfter":30,"stsCodes":[700016],"subError":"bad"}}"#
            + "\n"
        #expect(Failure(reporting: Self.rejected).json() == expected)
    }

    @Test("The program's own failures have their exit code")
    func own() {
        let configuration = ConfigurationError(
            file: "c", mistakes: [.init(line: 2, key: "a\u{1B}[2J", problem: "is wrong", remedy: "Right it")])
        let report = Failure(reporting: configuration)
        #expect(report.exitCode == .configuration)
        let lines = ["The configuration is invalid.", "c:2: a[2J: is wrong.", "Right it."]
        #expect(report.text == "keyturn: " + lines.joined(separator: "\n         ") + "\n")
        #expect(report.json().contains(#""domain":"KeyturnErrorDomain""#))
        #expect(Failure(reporting: UsageError.needsTerminal).exitCode == .usage)
        #expect(Failure(reporting: CancellationError()).exitCode == .cancelled)
    }
}
